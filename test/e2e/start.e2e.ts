import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { spawn } from "node:child_process";
import type { Page } from "playwright-core";
import { hostFolder, miniheat, root, runFolder } from "../host/folders.mjs";
import { openWindow } from "../host/window.mjs";
import { eventually, PATIENCE_MS } from "./eventually";

describe("npm start", () => {
  it("opens the 8-rank profile of the sample program, and Ctrl-C ends everything", async () => {
    const started = await start(process.execPath, [path.join(hostFolder, "start.mjs")]);
    try {
      assert.ok(started.password, "a password is printed");
      const { browser, page } = await openWindow(started.address);
      try {
        await asksForPassword(page, started.password);
        await page.locator('.tab.active[aria-label^="profile-8ranks.cali"]').waitFor({ timeout: PATIENCE_MS });
        // The data set's page, no text.
        await page.locator("iframe.webview.ready").waitFor({ timeout: PATIENCE_MS });
      } finally {
        await browser.close();
      }
      started.process.kill("SIGINT");
      assert.equal(await started.ended, 0);
      assert.deepEqual(started.children.filter(isRunning), [], "nothing is left running");
    } finally {
      started.killAll();
    }
  });

  it("opens one's own folder and a recording from elsewhere, and ends everything when npm is told to end", async () => {
    const folder = runFolder("start");
    fs.mkdirSync(path.join(folder, "my-code"));
    fs.writeFileSync(path.join(folder, "my-code", "mine.cpp"), "int main() {}\n");
    fs.copyFileSync(path.join(miniheat, "profiles", "profile-8ranks.cali"), path.join(folder, "mine.cali"));
    // Relative, as a person writes them.
    const names = ["my-code", "mine.cali"].map((name) => path.relative(root, path.join(folder, name)));
    const started = await start("npm", ["start", "--", ...names]);
    try {
      const { browser, page } = await openWindow(started.address, { password: started.password });
      try {
        await page.locator('.tab.active[aria-label^="mine.cali"]').waitFor({ timeout: PATIENCE_MS });
        await page.locator("iframe.webview.ready").waitFor({ timeout: PATIENCE_MS });
        await page.locator('[role=treeitem][aria-label^="mine.cpp"]').waitFor({ timeout: PATIENCE_MS });
        // Whether a folder that is not ours is trusted is for its owner to say.
        await page.locator(".statusbar-item").filter({ hasText: "Restricted Mode" }).waitFor({ timeout: PATIENCE_MS });
      } finally {
        await browser.close();
      }
      started.process.kill("SIGTERM");
      await started.ended;
      await eventually(async () => assert.deepEqual(started.children.filter(isRunning), [], "nothing is left running"));
    } finally {
      started.killAll();
    }
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it("says what is wrong with a folder that is none", async () => {
    const file = path.join(root, "package.json");
    await assert.rejects(start(process.execPath, [path.join(hostFolder, "start.mjs"), file]), /is no folder/);
  });
});

/** Logs in as a person does; another password, or none, leads nowhere. */
async function asksForPassword(page: Page, password: string): Promise<void> {
  const field = page.locator("input[type=password]");
  for (const wrong of ["", "something else"]) {
    const login = await page.request.post(new URL("/login", page.url()).href, { form: { password: wrong } });
    assert.match(await login.text(), /password/i);
    const files = await page.request.get(new URL("/vscode-remote-resource?path=/etc/hostname", page.url()).href);
    assert.equal(files.status(), 401);
  }
  await field.fill(password);
  await field.press("Enter");
}

/** Starts it, and waits until it says where it is open. */
async function start(command: string, args: readonly string[]) {
  const started = spawn(command, args, { cwd: root, detached: true });
  const ended = new Promise<number | null>((resolve) => started.once("exit", resolve));
  let output = "";
  const address = await new Promise<string>((resolve, reject) => {
    const read = (data: Buffer) => {
      output += data.toString();
      const found = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(output);
      if (found && output.includes("Ctrl-C")) resolve(found[0]);
    };
    started.stdout.on("data", read);
    started.stderr.on("data", read);
    started.once("error", reject);
    started.once("exit", (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
  });
  assert.ok(started.pid !== undefined);
  const children = processesBelow(started.pid);
  assert.ok(children.length > 0, "a server runs");
  const killAll = () => {
    started.kill("SIGKILL");
    for (const child of children.filter(isRunning)) kill(child);
  };
  const password = /password, .*:\s+(\S+)/.exec(output)?.[1];
  return { process: started, ended, address, password, children, killAll };
}

function kill(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    // It ended meanwhile.
  }
}

/** Ids of the processes that a process started, directly and further down (Linux). */
function processesBelow(id: number): number[] {
  const parents = new Map<number, number>();
  for (const name of fs.readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      // The name in brackets may hold spaces; state and parent follow it.
      const status = fs.readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1) ?? "";
      parents.set(Number(name), Number(status.split(" ")[1]));
    } catch {
      // It ended meanwhile.
    }
  }
  const below: number[] = [];
  for (let level = [id]; level.length > 0; below.push(...level))
    level = [...parents].filter(([, parent]) => level.includes(parent)).map(([child]) => child);
  return below;
}

function isRunning(id: number): boolean {
  try {
    const status = fs.readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1) ?? "";
    return !status.startsWith("Z");
  } catch {
    return false;
  }
}
