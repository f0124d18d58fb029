import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-lint-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Lines in which the rule finds a spread, of a file with these lines. */
function spreadsIn(lines: readonly string[]): number[] {
  const config = path.join(folder, "oxlint.json");
  const file = path.join(folder, "file.ts");
  const jsPlugins = [path.join(root, "test/lint/callSpread.mjs")];
  fs.writeFileSync(config, JSON.stringify({ jsPlugins, rules: { "heatflow/no-call-spread": "error" } }));
  fs.writeFileSync(file, lines.join("\n"));
  const oxlint = path.join(root, "node_modules/oxlint/bin/oxlint");
  const { stdout } = spawnSync(process.execPath, [oxlint, "-c", config, "--format", "json", file], {
    cwd: folder,
    encoding: "utf8",
  });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; labels: { span: { line: number } }[] }[];
  };
  return diagnostics
    .filter(({ code }) => code.includes("no-call-spread"))
    .map(({ labels: [{ span }] }) => span.line)
    .sort((a, b) => a - b);
}

describe("the rule against spreads in calls", () => {
  it("finds lists of any length, and none of those whose length the code says", () => {
    const wrong = [
      "all.push(...more);",
      "Math.max(0, ...values.map(String));",
      "new Set(...lists);",
      "String.fromCharCode(...bytes);",
      "f(...[1, ...rest]);",
      "f(...(is ? [1] : rest));",
      "const g = (all: number[]) => f(...all);",
      "f(...(list as [number, number]));",
    ];
    const right = [
      "f(...(is ? [1] : []));",
      "f(...([1, 2] as const));",
      "const h = (...asked: number[]) => f(0, ...asked);",
      "function k(...asked: number[]) { return () => f(...asked); }",
      "const copy = [...values];",
    ];
    expect(spreadsIn([...wrong, ...right])).toEqual(wrong.map((_, at) => at + 1));
  });
});
