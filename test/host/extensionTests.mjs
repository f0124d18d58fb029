/**
 * `npm run test:vscode`: runs the tests of test/vscode inside the extension host of a real VS Code and ends with their exit
 * code; an argument chooses the tests whose titles hold it. What mocha prints goes into a file, shown here as it grows: the extension host's console is full of VS Code's own lines.
 */
import fs from "node:fs";
import path from "node:path";
import { CodeServer } from "./codeServer.mjs";
import { bundleTests, testsFolder } from "./bundleTests.mjs";
import { buildAll } from "./packaging.mjs";
import { installHost } from "./install.mjs";
import { copyMiniheat } from "./workspaces.mjs";
import { root, runFolder } from "./folders.mjs";
import { program } from "./program.mjs";
import { openWindow } from "./window.mjs";
import { testSettings } from "./settings.mjs";

const limitSeconds = 300;

await program(async () => {
  installHost();
  buildAll();
  await bundleTests("vscode");
  return runTests();
});

/** @returns 0 where all passed; 1 where one failed; 2 where they came to no end */
async function runTests() {
  const folder = runFolder("vscode");
  const output = path.join(folder, "output.txt");
  fs.writeFileSync(output, "");
  let shown = 0;
  const show = () => {
    const text = fs.readFileSync(output);
    process.stdout.write(text.subarray(shown));
    shown = text.length;
  };
  const showing = setInterval(show, 200);
  let late;
  let window;
  const server = new CodeServer({
    folder,
    settings: testSettings,
    development: true,
    trustAll: true,
    env: { HEATFLOW_TEST_OUTPUT: output, HEATFLOW_TEST_ONLY: process.argv[2] ?? "" },
  });
  try {
    await server.start();
    const ended = new Promise((resolve, reject) => {
      late = setTimeout(() => reject(new Error(`They took longer than ${limitSeconds} s.`)), limitSeconds * 1000);
      void server.ended.then((reason) => reject(new Error(`The server ended (${reason}).`)));
      const address = server.address(copyMiniheat(folder), {
        extensionDevelopmentPath: server.remote(root),
        extensionTestsPath: server.remote(path.join(testsFolder("vscode"), "index.js")),
        skipWelcome: "true",
      });
      // The two functions that the web workbench calls when it runs an extension's tests.
      const functions = { codeAutomationLog: () => {}, codeAutomationExit: resolve };
      const { password } = server;
      void openWindow(address, { password, log: path.join(folder, "window.log"), functions }).then((opened) => {
        window = opened;
        window.page.once("crash", () => reject(new Error("The window crashed.")));
      }, reject);
    });
    return (await ended) === 0 ? 0 : 1;
  } catch (error) {
    await window?.page.screenshot({ path: path.join(folder, "last.png") }).catch(() => {});
    console.error(`The tests in VS Code came to no end. ${error.message}`);
    console.error(`Logs: ${path.relative(process.cwd(), folder)}`);
    return 2;
  } finally {
    clearTimeout(late);
    clearInterval(showing);
    show();
    await window?.browser.close();
    await server.stop();
  }
}
