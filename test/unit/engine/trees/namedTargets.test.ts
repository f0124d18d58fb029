import { describe, expect, it } from "vitest";
import { nameDigest, targetNamed } from "../../../../src/engine/trees/namedTargets";
import { quietTask } from "../../../../src/model/task";
import type { PathOfFrames } from "../../model/trees";
import { openRecording } from "../recordings";

describe("a function or context that was kept by name", () => {
  const before = openRecording(`
    main 1
      run
        solve 2
      io
        solve 3
        write 1`);
  // Numbers go by the order of names: all but the first have moved.
  const after = openRecording(`
    main 1
      check 1
      init
        solve 1
      io
        solve 3
        write 1`);
  const kept = (kind: "function" | "context", id: number, name: string) => ({
    kind,
    id,
    name,
    digest: nameDigest(before.open, { kind, id }),
  });
  const contextNamed = ({ open }: typeof before, ...path: string[]) =>
    [...open.dataSet.tree.parent.keys()].find(
      (context) => `${open.pathOf(context).map((at) => open.contextName(at))}` === `${path}`,
    ) ?? -1;
  const functionNamed = ({ open }: typeof before, name: string) =>
    [...open.functions.frame.keys()].find((id) => open.functionName(id) === name) ?? -1;

  it("has the number that it has now", () => {
    for (const name of ["main", "solve", "io", "write"]) {
      const was = kept("function", functionNamed(before, name), name);
      expect(targetNamed(after.open, was, quietTask)).toEqual({
        count: 1,
        id: functionNamed(after, name),
        digest: was.digest,
      });
    }
    const path = ["main", "io", "solve"];
    const was = kept("context", contextNamed(before, ...path), "solve");
    expect(was.id).not.toBe(contextNamed(after, ...path));
    expect(targetNamed(after.open, was, quietTask)).toMatchObject({ count: 1, id: contextNamed(after, ...path) });
  });

  it("is not there any more, though others have its number or its name", () => {
    const run = kept("function", functionNamed(before, "run"), "run");
    expect(targetNamed(after.open, run, quietTask)).toEqual({ count: 0 });
    // Another path to solve is another context.
    const solve = kept("context", contextNamed(before, "main", "run", "solve"), "solve");
    expect(targetNamed(after.open, solve, quietTask)).toEqual({ count: 0 });
  });

  it("is known by its short name where nothing else was kept, if one alone is called so", () => {
    const { open } = after;
    expect(targetNamed(open, { kind: "function", id: 0, name: "write" }, quietTask)).toMatchObject({
      id: functionNamed(after, "write"),
    });
    expect(targetNamed(open, { kind: "context", id: 0, name: "solve" }, quietTask)).toEqual({ count: 2 });
    // It still has its number.
    const id = contextNamed(after, "main", "io", "solve");
    expect(targetNamed(open, { kind: "context", id, name: "solve" }, quietTask)).toMatchObject({ id });
    expect(targetNamed(open, { kind: "function", id: 99, name: "" }, quietTask)).toEqual({ count: 0 });
  });

  it("is not mistaken for what is called alike in other files and modules", () => {
    const inFile = (file: string): PathOfFrames => ["main", { name: "solve", kind: "function", file }];
    const measured = (...files: string[]) =>
      openRecording(files.map((file, at) => [inFile(file), 0, at + 1] as const)).open;
    const first = measured("a.cpp", "b.cpp");
    const idIn = (open: typeof first, file: string) =>
      [...open.functions.frame.keys()].find(
        (id) => open.dataSet.frames.get(open.functions.frame[id] as never).file === file,
      ) ?? -1;
    const id = idIn(first, "b.cpp");
    const was = { kind: "function" as const, id, name: "solve", digest: nameDigest(first, { kind: "function", id }) };
    const more = measured("0.cpp", "a.cpp", "b.cpp");
    expect(idIn(more, "b.cpp")).not.toBe(id);
    expect(targetNamed(more, was, quietTask)).toMatchObject({ id: idIn(more, "b.cpp") });
    // The file was renamed.
    expect(targetNamed(measured("c.cpp"), was, quietTask)).toMatchObject({ count: 1 });
    expect(targetNamed(measured("c.cpp", "d.cpp"), was, quietTask)).toEqual({ count: 2 });
  });

  it("is found in a recursion 50,000 calls deep", () => {
    const deep = Array.from({ length: 50_000 }, () => "f");
    const { open } = openRecording([[deep, 0, 1]]);
    const digest = nameDigest(open, { kind: "context", id: 40_000 });
    expect(targetNamed(open, { kind: "context", id: 3, name: "f", digest }, quietTask)).toMatchObject({ id: 40_000 });
  });
});
