import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tracedTask } from "../../../src/traced/definition";
import { readyTasks } from "../../../src/traced/readyTasks";

let folder: string;
beforeEach(() => void (folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-ready-"))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const write = (files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
};
const [may, mayNot] = [async () => true, async () => false];
const labels = async (canSample = mayNot) => (await readyTasks(folder, canSample)).map(({ label }) => label);

describe("ready tasks", () => {
  it.each(["CMakeLists.txt", "Makefile", "GNUmakefile"])(
    "are those of the folder's build, where it has a %s",
    async (name) => {
      write({ [name]: "", "heat.cpp": "int main() {}" });
      expect(await readyTasks(folder, mayNot)).toEqual([
        { type: "heatflow", label: "traced build: instrument", tool: "instrument" },
        { type: "heatflow", label: "traced build: callgrind", tool: "callgrind" },
      ]);
    },
  );

  it("are one per program of one file, else", async () => {
    write({
      "heat.cpp": "#include <cstdio>\nint main(int, char**) {\n}\n",
      "old.c": "int\nmain (void) { return 0; }",
      "wave.f90": "! a wave\n  Program wave\nend program wave\n",
      "parts.f90": "module parts\nend module parts\n",
      "gpu.cu": "__global__ void f() {}\nint main() {}\n",
      "solver.cpp": "void domain(int);\nint remain = 0;\n",
      "notes.txt": "int main() {}",
    });
    fs.mkdirSync(path.join(folder, "folder.cpp"));
    expect(await labels()).toEqual([
      "traced build: tracker of gpu.cu",
      "traced build: instrument of heat.cpp",
      "traced build: callgrind of heat.cpp",
      "traced build: instrument of old.c",
      "traced build: callgrind of old.c",
      "traced build: instrument of wave.f90",
      "traced build: callgrind of wave.f90",
    ]);
    for (const task of await readyTasks(folder, may)) expect(tracedTask(task, folder).program).toBe(task.program);
  });

  it("are none of a folder that has no program, or is none", async () => {
    write({ "parts.cpp": "void f() {}" });
    expect(await labels()).toEqual([]);
    expect(await readyTasks(path.join(folder, "nothing"), may)).toEqual([]);
  });

  it("begin with samples if perf may measure, which is not asked where there is no program", async () => {
    let questions = 0;
    const counting = async () => ++questions > 0;
    write({ "parts.cpp": "void f() {}" });
    expect([await labels(counting), questions]).toEqual([[], 0]);
    write({ "heat.cpp": "int main() {}", "gpu.cu": "int main() {}" });
    expect(await labels(counting)).toEqual([
      "traced build: tracker of gpu.cu",
      "traced build: sample of heat.cpp",
      "traced build: instrument of heat.cpp",
      "traced build: callgrind of heat.cpp",
    ]);
    write({ Makefile: "" });
    expect(await labels(may)).toEqual(["traced build: sample", "traced build: instrument", "traced build: callgrind"]);
  });
});
