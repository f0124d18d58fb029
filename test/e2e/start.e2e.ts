import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { spawn } from "node:child_process";
import { hostFolder, root } from "../host/folders.mjs";
import { openWindow } from "../host/window.mjs";

describe("npm start", () => {
  it("opens the 8-rank profile of the sample program, and Ctrl-C ends everything", async () => {
    const start = spawn(process.execPath, [path.join(hostFolder, "start.mjs")], { cwd: root, detached: true });
    const ended = new Promise<number | null>((resolve) => start.once("exit", resolve));
    try {
      let output = "";
      const address = await new Promise<string>((resolve, reject) => {
        const read = (data: Buffer) => {
          output += data.toString();
          const found = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(output);
          if (found && output.includes("Ctrl-C")) resolve(found[0]);
        };
        start.stdout.on("data", read);
        start.stderr.on("data", read);
        start.once("exit", (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
      });
      const { browser, page } = await openWindow(address);
      try {
        await page.locator('.tab.active[aria-label^="profile-8ranks.cali"]').waitFor();
        // The data set's page, no text.
        await page.locator("iframe.webview.ready").waitFor();
      } finally {
        await browser.close();
      }
      assert.ok(start.pid !== undefined);
      const children = processesBelow(start.pid);
      assert.ok(children.length > 0, "a server runs");
      start.kill("SIGINT");
      assert.equal(await ended, 0);
      assert.deepEqual(children.filter(isRunning), [], "nothing is left running");
    } finally {
      start.kill("SIGKILL");
    }
  });
});

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
