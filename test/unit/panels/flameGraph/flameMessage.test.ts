import { describe, expect, it } from "vitest";
import { type FlamePanelState, keptState } from "../../../../src/panels/flameGraph/flameMessage";
import { parse } from "../../../../src/protocol/bounds";
import { flameState } from "../../../../src/protocol/flameGraph";

describe("what a flame graph keeps for a reload", () => {
  const always = { files: ["/a.cali"], order: "left-heavy", colour: "file" } as const;
  const fits = { id: "MPI", graph: '{"filter":0}' };
  const named = { name: "solve", detail: "solver.cpp" };

  it("is all of it where it is of a usual length", () => {
    const state: FlamePanelState = { ...always, files: ["/a.cali"], mode: "bar", bar: fits, function: named };
    expect(keptState(state)).toEqual(state);
  });

  it.each([
    ["a bar with a map of thousands of names", "bar", { bar: { id: "MPI", graph: "x".repeat(100_001) } }, /^MPI$/],
    ["a bar that is a long path", "bar", { bar: { id: "main/".repeat(1000), graph: "{}" } }, /^main\/main\//],
    ["a function of a long name", "sandwich", { function: { name: "f".repeat(5000), detail: "" } }, /^fff/],
  ] as const)(
    "is the recording instead of %s, so that the view takes it, and says what that was",
    (_, mode, part, called) => {
      const state: FlamePanelState = { ...always, files: ["/a.cali"], mode, ...part };
      expect(parse(flameState, state)).toBeUndefined();
      const kept = keptState(state);
      const notKept = { mode, name: expect.stringMatching(called) as string };
      expect(kept).toEqual({ ...always, files: ["/a.cali"], mode: "recording", notKept });
      expect(parse(flameState, kept)).toEqual(kept);
      // Nor is that lost at the reload after the next.
      expect(keptState(kept)).toEqual(kept);
      // What is not shown now does not count.
      const other: FlamePanelState = { ...state, mode: "recording" };
      expect(keptState(other)).toEqual({ ...always, files: ["/a.cali"], mode: "recording" });
    },
  );
});
