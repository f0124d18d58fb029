import { expect, it } from "vitest";
import { textTree } from "./textTree";

it("a text is a tree of calling contexts with costs by rank", () => {
  const contexts = textTree(`
    main 1
      solve 2 rank0=3 solver.cpp
        (no region)
      a name of words rank1=-0.5
    other`);
  expect(contexts.map(({ path, parent }) => [path.join("/"), parent])).toEqual([
    ["main", undefined],
    ["main/solve", 0],
    ["main/solve/(no region)", 1],
    ["main/a name of words", 0],
    ["other", undefined],
  ]);
  expect(contexts.map(({ seconds }) => [...seconds].sort())).toEqual([
    [[0, 1], [1, 1]], // oxfmt-ignore
    [
      [0, 3],
      [1, 2],
    ],
    [],
    [[1, -0.5]],
    [],
  ]);
  expect(contexts[1].file).toBe("solver.cpp");
  expect([...textTree("main 4")[0].seconds]).toEqual([[0, 4]]);
  expect(() => textTree("main 1\n    too deep 2")).toThrow(/below no line/);
});
