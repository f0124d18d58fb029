/**
 * `npm run test:desktop`: the tests of test/vscode in the desktop's VS Code, which is downloaded where it is not there yet
 * (HEATFLOW_VSCODE_VERSION: `stable` unless set). Needs a display; without one, run it under xvfb-run.
 */
import fs from "node:fs";
import path from "node:path";
import { installHost, installProject } from "./install.mjs";
import { outputFolder, root, runFolder } from "./folders.mjs";
import { buildAll } from "./packaging.mjs";
import { program } from "./program.mjs";
import { testSettings } from "./settings.mjs";
import { copyMiniheat } from "./workspaces.mjs";

await program(async () => {
  installProject();
  installHost();
  buildAll();
  const { bundleTests, testsFolder } = await import("./bundleTests.mjs");
  const { runTests } = await import("@vscode/test-electron");
  await bundleTests("vscode");
  const folder = runFolder("desktop");
  const userData = path.join(folder, "user-data");
  fs.mkdirSync(path.join(userData, "User"), { recursive: true });
  fs.writeFileSync(path.join(userData, "User", "settings.json"), JSON.stringify(testSettings, undefined, 2));
  // Rejects where a test failed; mocha prints to the console, which is passed on here.
  return runTests({
    version: process.env.HEATFLOW_VSCODE_VERSION ?? "stable",
    cachePath: path.join(outputFolder, "desktop-vscode"),
    extensionDevelopmentPath: root,
    extensionTestsPath: path.join(testsFolder("vscode"), "index.js"),
    launchArgs: [
      copyMiniheat(folder),
      "--user-data-dir",
      userData,
      "--extensions-dir",
      path.join(folder, "extensions"),
      "--disable-workspace-trust",
      "--disable-extensions",
      "--skip-welcome",
      "--skip-release-notes",
    ],
    extensionTestsEnv: { HEATFLOW_TEST_ONLY: process.argv[2] ?? "" },
  });
});
