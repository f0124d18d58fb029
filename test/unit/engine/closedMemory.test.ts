/** Data sets that were closed leave nothing behind, whatever was asked of them. */
import path from "node:path";
import v8 from "node:v8";
import vm from "node:vm";
import { describe, expect, it } from "vitest";
import { EngineState } from "../../../src/engine/engineState";
import { answerTo, type QuestionName } from "../../../src/engine/questions";
import { quietTask } from "../../../src/model/task";
import { miniheat } from "../../recordings";
import { grammars } from "./miniheat";

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc") as () => void;

/** Paths of each opening: profiles, samples and the events of one run. */
const OPENINGS = [
  ["profile-8ranks.cali"],
  ["samples-1rank.cali"],
  Array.from({ length: 8 }, (_, rank) => `trace/events-${rank}.cali`),
].map((files) => files.map((file) => path.join(miniheat, "profiles", file)));

/**
 * Asks what a window asks of recordings that are compared, and closes all but the first few.
 *
 * @returns references that keep nothing alive, to what was computed of the closed ones
 */
async function openedAndClosed(state: EngineState, openings: typeof OPENINGS, left = 0): Promise<WeakRef<object>[]> {
  const infos = [];
  for (const paths of openings) infos.push(...(await state.open({ paths }, quietTask)));
  const ask = (question: QuestionName, argument: unknown) => answerTo(state, question, argument as never, quietTask);
  const failed: string[] = [];
  for (const { id: dataSet, defaultMetric: metric, trace } of infos) {
    const scope = { dataSet, metric, over: "mean" };
    const other = infos.find(({ id }) => id !== dataSet)?.id ?? dataSet;
    const compared = { dataSet: other, metric: infos.find(({ id }) => id === other)?.defaultMetric, over: "mean" };
    const document = { file: path.join(miniheat, "src/main.cpp") };
    const questions: [QuestionName, unknown][] = [
      ["superGraph", { scope, filter: 0, groupBy: "first" }],
      ["superGraph", { scope, filter: 0.1, groupBy: "file" }],
      ["superGraph", { scope, compared, filter: 0, groupBy: "first" }],
      ["computingImbalance", { scope }],
      ["hotFunctions", { scope, by: "exclusive", limit: 100 }],
      ["contexts", { scope, limit: 100 }],
      ["hotPlaces", { scope, limit: 10 }],
      ["documentCosts", { scope, document }],
      ["codeAreas", { scope, cut: {} }],
      ...(trace
        ? ([
            ["hotStates", { dataSet }],
            ["boundBy", { dataSet }],
            ["clock", { dataSet }],
            ["timelineFacts", { dataSet }],
            [
              "overview",
              {
                dataSet,
                kind: "spatiotemporal",
                slices: 20,
                normalize: false,
                metric: "duration",
                hierarchy: { kind: "recorded" },
              },
            ],
          ] as [QuestionName, unknown][])
        : []),
    ];
    for (const [question, argument] of questions)
      await ask(question, argument).catch((error: unknown) => failed.push(`${question}: ${String(error)}`));
  }
  expect(failed).toEqual([]);
  const closing = infos.slice(left);
  const references = closing.flatMap(({ id }) => {
    const { open, graphs, flames, code } = state.get(id);
    return [open, open.dataSet, graphs, flames, code].map((one) => new WeakRef(one));
  });
  for (const { id } of closing) await state.close(id);
  return references;
}

/** What is still there after garbage was collected, by its class. */
async function leftOf(references: readonly WeakRef<object>[]): Promise<string[]> {
  // What waited for the answers is gone with the next turns of the event loop.
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  return references.flatMap((reference) => reference.deref()?.constructor.name ?? []);
}

describe("data sets that are closed", () => {
  it("are collected with all that was computed of them, also of two that were compared", async () => {
    const state = new EngineState(grammars);
    state.links.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
    const references = await openedAndClosed(state, OPENINGS);
    for (let count = 0; count < 3; count++) references.push(...(await openedAndClosed(state, OPENINGS)));
    expect(await leftOf(references)).toEqual([]);
    await state.dispose();
  });

  it("are collected while the one that they were compared with is open", async () => {
    const state = new EngineState(grammars);
    state.links.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
    const references = await openedAndClosed(state, OPENINGS, 1);
    expect(await leftOf(references)).toEqual([]);
    await state.dispose();
  });
});
