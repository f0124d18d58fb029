import { describe, expect, it } from "vitest";
import { TaskError } from "../../../src/traced/definition";
import { type TaskEntry, tasksIn, withTask } from "../../../src/traced/tasksFile";

const task = (label: string, more: object = {}): TaskEntry => ({
  type: "heatflow",
  label,
  tool: "instrument",
  ...more,
});

describe("tasks.json", () => {
  it("is made where there is none", () => {
    expect(JSON.parse(withTask("", task("a")))).toEqual({ version: "2.0.0", tasks: [task("a")] });
    expect(tasksIn(withTask("", task("a")))).toEqual([task("a")]);
  });

  it("keeps every other task, its comments and its form", () => {
    const text =
      '// mine\n{\n\t"version": "2.0.0", // two\n\t"tasks": [\n\t\t// the build\n\t\t{ "type": "shell", "label": "a", "command": "make" },\n\t]\n}\n';
    const more = withTask(withTask(text, task("a")), task("b"));
    expect(tasksIn(more).map(({ label }) => label)).toEqual(["a", "b"]);
    for (const kept of ["// mine", "// two", "// the build", '"command": "make"']) expect(more).toContain(kept);
  });

  it("has a task once, as it was said last", () => {
    const text = withTask(withTask(withTask("", task("a")), task("b")), task("a", { args: ["$(x)", '"'] }));
    expect(tasksIn(text)).toEqual([task("a", { args: ["$(x)", '"'] }), task("b")]);
  });

  it("is left alone where it cannot be read", () => {
    expect(() => withTask('{ "tasks": [', task("a"))).toThrow(TaskError);
    expect(tasksIn("{ nothing")).toEqual([]);
    expect(tasksIn('{"tasks": {"a": 1}}')).toEqual([]);
  });
});
