/** Command lines of the documentation, run as they are written. */
import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { graphArguments } from "../../../src/cli/graphCommand";
import { hotArguments } from "../../../src/cli/hotCommand";
import { localEngine } from "../../../src/engine/localEngine";
import { grammars } from "../engine/miniheat";

const commands = { hot: hotArguments, graph: graphArguments };
const files = ["README.md", ...fs.readdirSync("docs").map((name) => path.join("docs", name))];
const lines = files
  .filter((file) => file.endsWith(".md"))
  .flatMap((file) => fs.readFileSync(file, "utf8").match(/^ {4}npm run -s heatflow -- (?:hot|graph) .*$/gm) ?? [])
  .map((line) => line.trim().split(/\s+/).slice(5))
  .filter((words) => words.some((word) => word.startsWith("examples/")));

it("are there", () => expect(lines.length).toBeGreaterThan(1));

it.each(lines)("%s %s runs, and names --source only where the recording is of it", async (name, ...args) => {
  const request = commands[name as keyof typeof commands](args, path.resolve("."));
  const answer = await request.run(localEngine(grammars));
  expect(answer.notes).toEqual([]);
});
