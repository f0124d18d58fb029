import { describe, expect, it } from "vitest";
import { nameIn, numberIn, targetIn } from "../../../src/session/commandArguments";

describe("arguments of commands", () => {
  it("name contexts and functions, by themselves or as rows of trees", () => {
    expect(targetIn({ context: 5 })).toEqual({ kind: "context", context: 5 });
    expect(targetIn({ function: 3, contexts: 2 })).toEqual({ kind: "function", function: 3 });
    expect(targetIn({ kind: "context", row: { context: 7 } })).toEqual({ kind: "context", context: 7 });
    expect(targetIn({ kind: "caller", row: { path: [4, 9] } })).toEqual({ kind: "function", function: 9 });
  });

  it("have names", () => {
    expect(nameIn({ function: 3, name: "solve" })).toBe("solve");
    expect(nameIn({ kind: "context", row: { context: 7, name: "main" } })).toBe("main");
    for (const other of [undefined, null, "name", { name: 5 }, { row: 3 }]) expect(nameIn(other)).toBeUndefined();
  });

  it("are nothing where they are anything else", () => {
    for (const other of [
      undefined,
      null,
      5,
      "5",
      {},
      { context: -1 },
      { context: 1.5 },
      { row: { path: [] } },
      { row: 3 },
    ])
      expect(targetIn(other)).toBeUndefined();
    expect(numberIn({ dataSet: "1" }, "dataSet")).toBeUndefined();
    expect(numberIn({ dataSet: 1 }, "dataSet")).toBe(1);
  });
});
