/** What is saved beside the source, or without a change, leaves everything that was computed as it is. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { Links } from "../../../../src/engine/lines/links";
import { quietTask } from "../../../../src/model/task";
import { folderWith, grammars } from "../../source/program";
import { openRecording } from "../recordings";

const solver = "int helper() { return 1; }\nint solve() { return helper(); }\n";

async function program() {
  const folder = folderWith({ "solver.cpp": solver, "README.md": "read me\n", "table.txt": "1\n2\n" });
  const file = (name: string) => path.join(folder, name);
  const { open, contextOf } = openRecording([
    [[{ name: "solve", kind: "function" }], 0, 1],
    [[{ name: "", kind: "line", file: file("table.txt"), line: 2 }], 0, 1],
  ]);
  const links = new Links(grammars);
  links.configure({ folders: [folder], sourceMap: {} });
  const solve = contextOf([{ name: "solve", kind: "function" }]);
  const lineOfSolve = async () => (await links.link(open, solve, quietTask)).places[0]?.line;
  expect(await lineOfSolve()).toBe(2);
  links.onChange = vi.fn();
  /** Writes a file, later than anything before. */
  const write = (name: string, text: string) => {
    fs.writeFileSync(file(name), text);
    const later = Date.now() / 1000 + 5;
    fs.utimesSync(file(name), later, later);
  };
  return { links, open, file, write, lineOfSolve };
}

describe("a file that is saved", () => {
  it("changes nothing where it is no source, or has the same text as before", async () => {
    const { links, open, file, write } = await program();
    write("README.md", "read me again\n");
    expect(await links.setOpenTexts([{ file: file("README.md") }])).toBe(false);
    write("solver.cpp", solver);
    expect(await links.setOpenTexts([{ file: file("solver.cpp") }])).toBe(false);
    // Closed without saving.
    await links.setOpenTexts([{ file: file("solver.cpp"), text: `\n${solver}` }]);
    expect(await links.setOpenTexts([])).toBe(false);
    await links.placedIn(open, { file: file("solver.cpp") }, quietTask);
    expect(links.onChange).not.toHaveBeenCalled();
  });

  it("leads elsewhere where its text changed, also if no edits were reported", async () => {
    const { links, file, write, lineOfSolve } = await program();
    write("solver.cpp", `\n\n${solver}`);
    expect(await links.setOpenTexts([{ file: file("solver.cpp") }])).toBe(true);
    expect(links.onChange).toHaveBeenCalledTimes(1);
    expect(await lineOfSolve()).toBe(4);
  });

  it("counts where only recorded lines are in it", async () => {
    const { links, file, write } = await program();
    write("table.txt", "0\n1\n2\n");
    expect(await links.setOpenTexts([{ file: file("table.txt") }])).toBe(true);
    expect(links.onChange).not.toHaveBeenCalled();
  });
});
