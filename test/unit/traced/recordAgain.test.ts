import { describe, expect, it } from "vitest";
import type { RunFacts } from "../../../src/model/runFacts";
import { tracedTask } from "../../../src/traced/definition";
import { taskAgain } from "../../../src/traced/recordAgain";
import type { TaskEntry } from "../../../src/traced/tasksFile";

const facts: RunFacts = {
  version: 1,
  tool: "sample",
  program: "/home/user/heat/.heatflow/build/sample-1/heat",
  args: ["24", "a b"],
  cwd: "/home/user/heat",
  ranks: 4,
  flags: ["-g"],
  startedAt: "2026-11-28T08:00:00Z",
  seconds: 1,
  exitCode: 0,
  signal: null,
  stacks: "fp",
};
const entry = (more: Readonly<Record<string, unknown>>): TaskEntry => {
  return { type: "heatflow", label: "mine", tool: "sample", args: ["24", "a b"], ranks: 4, ...more };
};

describe("a run that is recorded again", () => {
  it.each([
    ["without a program", {}],
    ["with the program", { program: "heat" }],
    ["with the program's path", { program: "bin/heat", env: { A: "b" } }],
    ["with its source file", { program: "heat.cpp", stacks: "fp" }],
  ])("takes the task that made it, %s, with copies of stacks", (_, more) => {
    const others = [entry({ program: "wave" }), entry({ tool: "callgrind" }), entry({ args: [] }), entry({ ranks: 2 })];
    const made = entry(more);
    expect(taskAgain(facts, [...others, made])).toEqual({ ...made, stacks: "dwarf" });
  });

  it("starts the program as it is if no task made it", () => {
    const again = taskAgain(facts, [entry({ program: "wave" }), entry({ process: 12 })]);
    const task = tracedTask(again, "/home/user/heat");
    expect(task).toMatchObject({ tool: "sample", build: "none", stacks: "dwarf", ranks: 4, cwd: facts.cwd });
    expect([task.program, task.args]).toEqual([facts.program, facts.args]);
  });

  it("asks for the program that ran already by its name, since its number is another one", () => {
    const running = { ...facts, process: 4711, args: [], ranks: 0 };
    expect(tracedTask(taskAgain(running, []), "/home/user/heat")).toMatchObject({ process: "heat", stacks: "dwarf" });
    expect(taskAgain(running, [entry({}), entry({ process: "" })])).toEqual({
      ...entry({ process: "" }),
      stacks: "dwarf",
    });
  });
});
