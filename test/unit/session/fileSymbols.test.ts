import { describe, expect, it } from "vitest";
import { fileSymbols } from "../../../src/session/fileSymbols";

const range = (from: number, to: number) => ({ start: { line: from, character: 0 }, end: { line: to, character: 3 } });

describe("symbols of a language server", () => {
  it("are taken from a nested answer, with the line of the name and what is around it", () => {
    const step = { name: "step", kind: 11, range: range(4, 9), selectionRange: range(5, 5), children: [] };
    const field = { name: "field", kind: 12, range: range(6, 6), selectionRange: range(6, 6) };
    const solver = {
      name: "solver",
      kind: 1,
      range: range(0, 20),
      selectionRange: range(1, 1),
      children: [step, field],
    };
    expect(fileSymbols([solver])).toEqual([
      { name: "solver", kind: "namespace", line: 2, from: 1, to: 21, within: [] },
      { name: "step", kind: "function", line: 6, from: 5, to: 10, within: ["solver"] },
    ]);
  });

  it("are taken from a flat answer with names of containers", () => {
    const flat = { name: "step", kind: 5, containerName: "Solver", location: { range: range(4, 9) } };
    expect(fileSymbols([flat])).toEqual([
      { name: "step", kind: "function", line: 5, from: 5, to: 10, within: ["Solver"] },
    ]);
  });

  it("are none where the answer is none, or is something else", () => {
    for (const answer of [undefined, null, [], {}, "text", [null, 3, {}, { name: "x", kind: 11 }, { kind: 11 }]])
      expect(fileSymbols(answer)).toEqual([]);
  });

  it("may nest without end", () => {
    let symbol: object = { name: "leaf", kind: 11, range: range(1, 1) };
    for (let depth = 0; depth < 50_000; depth++)
      symbol = { name: "n", kind: 2, range: range(0, 9), children: [symbol] };
    expect(fileSymbols([symbol]).length).toBeLessThanOrEqual(20_000);
  });
});
