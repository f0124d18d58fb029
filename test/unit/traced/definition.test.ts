import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TaskError, tracedTask } from "../../../src/traced/definition";

const FOLDER = "/work space";

describe("a task of tasks.json", () => {
  it("has what is not said at its defaults", () => {
    expect(tracedTask({ type: "heatflow" }, FOLDER)).toEqual({
      tool: "tracker",
      build: undefined,
      program: "",
      args: [],
      env: {},
      cwd: FOLDER,
      ranks: 0,
      launcher: ["mpirun"],
      output: `${FOLDER}/.heatflow`,
      exclude: ["/usr/", ".h"],
    });
  });

  it("keeps arguments as they are, whatever a shell would make of them", () => {
    const args = ["$(reboot)", "a b", '"', "'", "`id`", "*", ""];
    expect(tracedTask({ args }, FOLDER).args).toEqual(args);
  });

  it.each([
    [{ tool: "gprof" }, "tool"],
    [{ build: "ninja" }, "build"],
    [{ build: [] }, "build"],
    [{ build: ["make", 1] }, "build"],
    [{ args: "24 10" }, "args"],
    [{ args: ["a\0b"] }, "args"],
    [{ env: { A: 1 } }, "env.A"],
    [{ env: { "A=B": "1" } }, "env.A=B"],
    [{ env: [] }, "env"],
    [{ ranks: 1.5 }, "ranks"],
    [{ ranks: -1 }, "ranks"],
    [{ ranks: "4" }, "ranks"],
    [{ launcher: [] }, "launcher"],
    [{ output: "../elsewhere" }, "output"],
    [{ output: "/tmp" }, "output"],
    [{ cwd: 1 }, "cwd"],
    [{ tool: "sample", process: 1.5 }, "process"],
    [{ tool: "callgrind", process: 17 }, "process"],
    [{ tool: "sample", process: 17, seconds: 0 }, "seconds"],
  ])("says what is wrong with %j", (definition, key) => {
    const problem = (() => {
      try {
        return tracedTask(definition, FOLDER);
      } catch (error) {
        return error;
      }
    })();
    expect(problem).toBeInstanceOf(TaskError);
    expect((problem as Error).message).toContain(`"${key}"`);
  });

  it("is checked or refused, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("tool", "build", "args", "env", "ranks", "launcher", "output"), fc.jsonValue()),
        (any) => {
          try {
            const task = tracedTask(any, FOLDER);
            expect(task.output.startsWith(FOLDER)).toBe(true);
          } catch (problem) {
            expect(problem).toBeInstanceOf(TaskError);
          }
        },
      ),
    );
  });
});
