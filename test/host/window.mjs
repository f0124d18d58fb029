/** A browser window on a VS Code server. Nothing but 127.0.0.1 is asked for anything, with or without a network. */
import fs from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";
import { privateFolders } from "./codeServer.mjs";
import { provideChromium } from "./chromium.mjs";
import { socketFolder } from "./folders.mjs";

/**
 * @param {string} address of {@link CodeServer.address}
 * @param {object} [options]
 * @param {string} [options.password] of {@link CodeServer.password}: the window is logged in with it
 * @param {string} [options.log] file for what the window's console says
 * @param {{ width: number, height: number }} [options.viewport] pixels
 * @param {Record<string, (...args: never[]) => void>} [options.functions] functions that the window may call
 */
export async function openWindow(
  address,
  { password, log, viewport = { width: 1400, height: 900 }, functions = {} } = {},
) {
  const folder = socketFolder();
  const browser = await chromium.launch({
    executablePath: provideChromium(),
    // Ctrl-C is handled by whoever opened the window.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    env: { ...process.env, ...privateFolders(folder) },
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--disable-dev-shm-usage",
      // Not by playwright's `route`, with which a browser keeps nothing of what it has loaded and compiled.
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ],
  });
  const remove = () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once("exit", remove);
  browser.once("disconnected", () => {
    process.removeListener("exit", remove);
    remove();
  });
  const context = await browser.newContext({ viewport, permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  if (log) {
    fs.mkdirSync(path.dirname(log), { recursive: true });
    page.on("console", (message) => fs.appendFileSync(log, `${message.type()}: ${message.text()}\n`));
    page.on("pageerror", (error) => fs.appendFileSync(log, `error: ${error.stack}\n`));
  }
  for (const [name, call] of Object.entries(functions)) await page.exposeFunction(name, call);
  if (password !== undefined) await logIn(context, address, password);
  const response = await page.goto(address, { waitUntil: "commit" });
  if (!response?.ok()) throw new Error(`${address} answered ${response?.status()}.`);
  return { browser, page };
}

/** Sends the password as code-server's page of log-in does: the answer leaves a cookie with the browser's context. */
async function logIn(context, address, password) {
  const answer = await context.request.post(new URL("/login", address).href, { form: { password }, maxRedirects: 0 });
  if (answer.status() !== 302) throw new Error(`The server took no log-in (${answer.status()}).`);
}
