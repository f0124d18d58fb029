import { randomInt } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { filesLeftOut } from "./test/turns.mjs";

// Random cases are others in each run; test/unit/randomCases.ts says which.
if (process.env.HEATFLOW_SEED === undefined) {
  process.env.HEATFLOW_SEED = String(randomInt(1, 1e8));
  process.stdout.write(`Random cases from HEATFLOW_SEED=${process.env.HEATFLOW_SEED} on\n`);
}

// Whoever asks for a test of a panel by its title looks at its pictures.
if (process.argv.some((argument) => /^(-t|--testNamePattern)/.test(argument))) process.env.HEATFLOW_PICTURES ??= "1";

/** Test files of a folder that put another module in the place of one, or have them evaluated anew: only they need modules of their own. */
function mocking(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => path.join(folder, name))
    .filter((file) => /\bvi\.(mock|doMock|resetModules|useFakeTimers)\(/.test(fs.readFileSync(file, "utf8")));
}

const unit = { include: ["test/unit/**/*.test.ts"], testTimeout: 60_000 };
const isolated = mocking("test/unit");
const exclude = filesLeftOut().map((file) => `test/${file}`);

export default defineConfig({
  test: {
    // Forks, not threads: some tests start worker threads of their own and measure memory of the process.
    pool: "forks",
    maxWorkers: 2,
    hookTimeout: 60_000,
    setupFiles: "test/unit/setUp.ts",
    projects: [
      { extends: true, test: { ...unit, name: "unit", exclude: [...exclude, ...isolated], isolate: false } },
      { extends: true, test: { ...unit, name: "unit-isolated", include: isolated, exclude } },
      {
        extends: true,
        test: { name: "tracker", include: ["test/tracker/**/*.test.ts"], exclude, testTimeout: 120_000 },
      },
      {
        extends: true,
        test: {
          name: "conformance",
          include: ["test/conformance/**/*.test.ts"],
          exclude,
          testTimeout: 120_000,
          isolate: false,
        },
      },
      {
        extends: true,
        // The files of a process share a browser, which need not know of their modules: all replace `vscode` by the same one.
        test: {
          name: "webview",
          include: ["test/webview/**/*.test.ts"],
          exclude,
          testTimeout: 120_000,
          isolate: false,
        },
      },
    ],
  },
});
