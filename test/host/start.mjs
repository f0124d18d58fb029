/**
 * `npm start`: VS Code in the browser, with Heatflow installed and the sample program's 8-rank profile open.
 *
 *   --port N    listen there (else on a free port)
 *   --desktop   use the desktop's VS Code (`code`) instead
 *
 * Installs, builds and packages first what is missing or stale. Ctrl-C ends it, and so does SIGTERM, to npm too.
 */
import path from "node:path";
import { spawn, spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { miniheat, outputFolder, root } from "./folders.mjs";
import { installHost, installProject } from "./install.mjs";
import { CodeServer } from "./codeServer.mjs";
import { buildAll, packageExtension, packageOpener } from "./packaging.mjs";
import { program } from "./program.mjs";
import { quietSettings } from "./settings.mjs";

const profile = path.join(miniheat, "profiles", "profile-8ranks.cali");

await program(async () => {
  const { values } = parseArgs({ options: { desktop: { type: "boolean" }, port: { type: "string", default: "0" } } });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Error(`--port ${values.port} is no port.`);
  installProject();
  await (values.desktop ? openDesktop() : openServer(port));
});

/** @param {number} port 0: a free one */
async function openServer(port) {
  if (process.platform === "win32") throw new Error("code-server does not run on Windows: use npm start -- --desktop.");
  installHost();
  const server = new CodeServer({
    folder: path.join(outputFolder, "start"),
    settings: quietSettings,
    extensions: [packageExtension(), packageOpener()],
    // This VS Code has no other extension than ours, and opens the sample program.
    trustAll: true,
    port,
    workspace: miniheat,
    env: { HEATFLOW_START_RECORDING: profile },
  });
  const interrupted = new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, resolve);
    whenNpmEnds(resolve);
  });
  try {
    await server.start();
    console.log(`\nHeatflow is open at\n\n  ${server.address()}\n`);
    console.log(
      "Ctrl-C ends it. Until then others who are logged in to this machine can open it too: it asks for no password.",
    );
    const reason = await Promise.race([server.ended, interrupted.then(() => undefined)]);
    if (reason !== undefined) throw new Error(`code-server ended by itself (${reason}); its log: ${server.log}`);
  } finally {
    await server.stop();
  }
}

/** The shell between npm and this program keeps a SIGTERM of npm to itself: that npm ended shows only in another parent. */
function whenNpmEnds(call) {
  if (process.env.npm_lifecycle_event !== "start") return;
  const parent = process.ppid;
  const watching = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watching);
    call();
  }, 500);
  watching.unref();
}

async function openDesktop() {
  const code = process.platform === "win32" ? "code.cmd" : "code";
  const shell = process.platform === "win32"; // .cmd files run in a shell only
  if (spawnSync(code, ["--version"], { shell }).status !== 0)
    throw new Error("`code` is not in PATH: install VS Code and its shell command, or leave out --desktop.");
  buildAll();
  const window = spawn(code, ["--new-window", "--wait", `--extensionDevelopmentPath=${root}`, miniheat, profile], {
    shell,
    stdio: "inherit",
  });
  console.log("VS Code is open; close its window to end.");
  await new Promise((resolve, reject) => window.once("exit", resolve).once("error", reject));
}
