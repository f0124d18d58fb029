import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GraphOperation } from "../../../../src/engine/api";
import {
  addStep,
  canRedo,
  canUndo,
  goToStep,
  type GraphSteps,
  MOST_STEPS,
  newSteps,
  operationsDone,
  redo,
  removeStep,
  replaceSteps,
  setStart,
  undo,
} from "../../../../src/panels/superGraph/graphSteps";

const hide = (group: string): GraphOperation => ({ kind: "hide", target: { group } });
const names = (list: GraphSteps) =>
  operationsDone(list).map((step) => ("target" in step ? step.target?.group : step.kind));
const all = (list: GraphSteps) =>
  list.steps.map(({ operation }) => ("target" in operation ? operation.target?.group : ""));

function listOf(...groups: string[]): GraphSteps {
  return groups.reduce((list, group) => addStep(list, hide(group)) ?? list, newSteps({ filter: 0.1, groupBy: "file" }));
}

describe("the steps of a super graph", () => {
  it("are done, undone and done again; something new takes away what was undone", () => {
    let list = listOf("a", "b", "c");
    list = undo(undo(list));
    expect([names(list), all(list)]).toEqual([["a"], ["a", "b", "c"]]);
    expect(names(redo(list))).toEqual(["a", "b"]);
    list = addStep(list, hide("d")) ?? list;
    expect([names(list), all(list), canRedo(list)]).toEqual([["a", "d"], ["a", "d"], false]);
  });

  it("are stepped back to, and forward to", () => {
    const list = listOf("a", "b", "c");
    const [first, second] = list.steps;
    expect(names(goToStep(list, first.key))).toEqual(["a"]);
    expect(names(goToStep(goToStep(list, 0), second.key))).toEqual(["a", "b"]);
    expect(goToStep(list, 99)).toBe(list);
  });

  it("are removed one by one, and brought back by undo with what was undone beyond them", () => {
    const list = undo(listOf("a", "b", "c"));
    const removed = removeStep(list, list.steps[0].key);
    expect([names(removed), all(removed)]).toEqual([["b"], ["b", "c"]]);
    const back = undo(removed);
    expect([names(back), all(back)]).toEqual([
      ["a", "b"],
      ["a", "b", "c"],
    ]);
    expect(names(redo(back))).toEqual(["b"]);
  });

  it("undo a removal only after the steps that were done since", () => {
    let list = listOf("a", "b");
    list = removeStep(list, list.steps[0].key);
    list = addStep(list, hide("c")) ?? list;
    list = undo(list);
    expect(names(list)).toEqual(["b"]);
    list = undo(list);
    expect(names(list)).toEqual(["a", "b"]);
    list = redo(redo(list));
    expect(names(list)).toEqual(["b", "c"]);
  });

  it("undo another filter, another grouping and the steps that were put in their place", () => {
    const list = setStart(setStart(listOf("a"), { filter: 2 }), { groupBy: "module" });
    expect(setStart(list, { filter: 2 })).toBe(list);
    const applied = replaceSteps(list, [hide("x"), hide("y")], { filter: 5, groupBy: "class" }) ?? list;
    expect([names(applied), applied.filter, applied.groupBy]).toEqual([["x", "y"], 5, "class"]);
    const before = undo(applied);
    expect([names(before), before.filter, before.groupBy]).toEqual([["a"], 2, "module"]);
    const first = undo(undo(before));
    expect([names(first), first.filter, first.groupBy]).toEqual([["a"], 0.1, "file"]);
  });

  it("are no more than can be kept for a reload", () => {
    const full = listOf(...Array.from({ length: MOST_STEPS }, (_, at) => `g${at}`));
    expect(full.steps).toHaveLength(MOST_STEPS);
    expect(addStep(full, hide("one more"))).toBeUndefined();
    expect(addStep(newSteps({ filter: 0, groupBy: "file" }), hide("x".repeat(200_001)))).toBeUndefined();
  });

  type Action =
    | { kind: "add"; name: string }
    | { kind: "remove" | "go"; at: number }
    | { kind: "filter"; percent: number }
    | { kind: "undo" | "redo" };
  const add: Action = { kind: "add", name: "a" };
  it("lead back to the beginning by undo, and from there to the end by redo, whatever was done", () => {
    // What broke it before: a filter between a step and what took its place; a click after what was taken back.
    const broken: Action[][] = [
      [add, { kind: "filter", percent: 0 }, { kind: "go", at: 1 }, add],
      [add, { kind: "undo" }, { kind: "filter", percent: 0 }, { kind: "undo" }, { kind: "go", at: 0 }],
    ];
    const action = fc.oneof(
      fc.record({ kind: fc.constant("add" as const), name: fc.string({ minLength: 1, maxLength: 3 }) }),
      fc.record({ kind: fc.constantFrom("remove" as const, "go" as const), at: fc.nat(6) }),
      fc.record({ kind: fc.constant("filter" as const), percent: fc.nat(3) }),
      fc.record({ kind: fc.constantFrom("undo" as const, "redo" as const) }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 25 }), (actions) => {
        let list = newSteps({ filter: 0.1, groupBy: "file" });
        for (const what of actions) {
          const keyAt = (at: number) => list.steps.at(at)?.key ?? 0;
          if (what.kind === "add") list = addStep(list, hide(what.name)) ?? list;
          else if (what.kind === "remove") list = removeStep(list, keyAt(what.at));
          else if (what.kind === "go") list = goToStep(list, keyAt(what.at));
          else if (what.kind === "filter") list = setStart(list, { filter: what.percent });
          else list = what.kind === "undo" ? undo(list) : redo(list);
          expect(list.done).toBeLessThanOrEqual(list.steps.length);
          expect(new Set(list.steps.map(({ key }) => key)).size).toBe(list.steps.length);
        }
        const last = list;
        let undone = 0;
        for (; canUndo(list); undone++) {
          const before = list;
          list = undo(list);
          expect(list).not.toBe(before);
          expect(undone).toBeLessThan(200);
        }
        expect([names(list), list.filter]).toEqual([[], 0.1]);
        for (let redone = 0; redone < undone; redone++) list = redo(list);
        expect([names(list), list.filter, list.groupBy]).toEqual([names(last), last.filter, last.groupBy]);
      }),
      { numRuns: 1000, examples: broken.map((actions): [Action[]] => [actions]) },
    );
  });
});
