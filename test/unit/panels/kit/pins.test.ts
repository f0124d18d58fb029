import { beforeEach, describe, expect, it, vi } from "vitest";
import type { DistributionQuery, Engine, Scope, Target } from "../../../../src/engine/api";
import { nameDigest, targetNamed } from "../../../../src/engine/trees/namedTargets";
import { quietTask } from "../../../../src/model/task";
import { histogram } from "../../../../src/panels/histogram/definition";
import { Panel } from "../../../../src/panels/kit/panel";
import { type HistogramState, histogramState } from "../../../../src/protocol/histogram";
import { parse } from "../../../../src/protocol/bounds";
import { openRecording } from "../../engine/recordings";
import { dataSetInfo } from "../../session/sampleInfo";
import { PanelWindow } from "../panelWindow";

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../../session/standInForVsCode");
  return standIn(heardNothing());
});

const info = { ...dataSetInfo(), key: "a-key" };
const scope: Scope = { dataSet: info.id, metric: 0, over: "sum" };
const before = `
    main 1
      io
        solve 3
      run
        solve 2`;
/** Functions and contexts have other numbers. */
const moved = `
    main 1
      checked 1
      io
        solve 3
      run
        solve 2`;
const gone = `
    main 1
      io 3
        write 1
        wait 1`;

describe("what a panel shows values of", () => {
  let here: PanelWindow;
  let open: ReturnType<typeof openRecording>["open"];
  let asked: (Target | undefined)[];

  beforeEach(() => {
    asked = [];
    const engine: Partial<Engine> = {
      digestOfName: (of) => Promise.resolve(nameDigest(open, of)),
      namedTarget: (was) => Promise.resolve(targetNamed(open, was, quietTask)),
      distribution: ({ target }: DistributionQuery) => {
        asked.push(target);
        const [values, ints] = [Float64Array.of(1, 2), Int32Array.of(0, 1)];
        return Promise.resolve({
          by: "rank",
          members: ["0", "1"],
          order: ints,
          hosts: Int32Array.of(-1, -1),
          values,
          edges: Float64Array.of(1, 1.5, 2),
          counts: Int32Array.of(1, 1),
          binOf: ints,
          leftOut: 0,
          outside: 0,
        });
      },
    };
    here = new PanelWindow(engine, () => scope);
  });

  const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
  const read = async (text: string) => {
    ({ open } = openRecording(text));
    here.hold([{ ...info, functions: open.functions.size, contexts: open.dataSet.tree.size }]);
    await settled();
  };
  const show = async (start: HistogramState = histogram.start) => {
    new Panel(here.parts, here.panel, histogram, "a-key", start);
    here.say({ type: "ready", width: 800, height: 600 });
    await settled();
  };
  const functionCalled = (name: string): Target => {
    const id = [...open.functions.frame.keys()].find((one) => open.functionName(one) === name);
    return { kind: "function", function: id ?? -1 };
  };
  const contextBelow = (name: string): Target => {
    const { parent } = open.dataSet.tree;
    const isBelow = (context: number) => context > 0 && open.contextName(parent[context]) === name;
    return { kind: "context", context: [...parent.keys()].find(isBelow) ?? -1 };
  };
  const select = async (target: Target, name: string) => {
    here.select({ dataSet: info.id, target, name, origin: "test" });
    await settled();
  };
  const frames = () => here.posted.filter(({ type }) => type === "frame");
  const notes = () => (frames().at(-1)?.notices as { text: string }[]).map(({ text }) => text);

  it("is found by its name when the recording was measured again", async () => {
    for (const [target, name] of [
      [functionCalled, "solve"],
      [contextBelow, "run"],
    ] as const) {
      await read(before);
      await show();
      await select(target(name), "solve");
      const was = asked.at(-1);
      expect(was).toEqual(target(name));
      await read(moved);
      expect(asked.at(-1)).toEqual(target(name));
      expect(asked.at(-1)).not.toEqual(was);
      await read(gone);
      const kind = name === "run" ? "calling context" : "function";
      expect([asked.at(-1), notes()]).toEqual([
        undefined,
        [`solve is no ${kind} of this recording any more. This is the whole recording.`],
      ]);
      // As it was measured first.
      await read(before);
      expect([asked.at(-1), notes()]).toEqual([was, []]);
      here.close();
      await select({ kind: "function", function: 0 }, "");
    }
  });

  it("is found by its name after a reload of the window", async () => {
    await read(before);
    await show();
    await select(contextBelow("run"), "solve");
    const kept: unknown = JSON.parse(JSON.stringify(frames().at(-1)?.restore));
    here.close();
    await read(moved);
    const state = parse(histogramState, kept);
    await show(state);
    expect(asked.at(-1)).toEqual(contextBelow("run"));
  });
});
