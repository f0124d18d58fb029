import fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type {
  BarHistograms,
  DataSetInfo,
  Engine,
  GraphLayout,
  GraphQuery,
  OverRanks,
  Scope,
  SuperGraph,
} from "../../../../src/engine/api";
import { CancelledError } from "../../../../src/model/errors";
import type { Task } from "../../../../src/model/task";
import { Panel } from "../../../../src/panels/kit/panel";
import { shapeOf } from "../../../../src/panels/superGraph/askedGraphs";
import { superGraph } from "../../../../src/panels/superGraph/definition";
import { newSteps } from "../../../../src/panels/superGraph/graphSteps";
import { layoutSize } from "../../../../src/panels/superGraph/layoutPart";
import type { SavedStepsStore } from "../../../../src/panels/superGraph/savedSteps";
import { keptSteps } from "../../../../src/panels/superGraph/steps";
import { openMiniheat } from "../../engine/miniheat";
import { PanelWindow } from "../panelWindow";

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../../session/standInForVsCode");
  return standIn(heardNothing());
});

/** A question to the engine that is answered when the test likes. */
interface Asked {
  isCancelled: boolean;
  answer(): void;
  /** As the worker ends a call that was cancelled. */
  giveUp(): void;
}

type Over = "sum" | "mean" | "max";

/** What may happen while a panel comes up; numbers choose among what there is. */
type Happening =
  | { readonly kind: "ready" | "resize"; readonly width: number }
  | { readonly kind: "costs" | "close" | "open" | "restored" | "select" }
  | { readonly kind: "scope"; readonly over: Over }
  | { readonly kind: "answer"; readonly which: number; readonly late: boolean };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("ready", "resize"), width: fc.constantFrom(300, 521, 900) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("costs", "close", "open", "restored", "select") }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("scope" as const), over: fc.constantFrom<Over[]>("sum", "mean", "max") }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("answer" as const), which: fc.nat(9), late: fc.boolean() }) },
);

describe("a super graph's panel, whatever comes first", () => {
  let info: DataSetInfo & { readonly key: string };
  const graphs = new Map<string, SuperGraph>();
  const layouts = new Map<string, GraphLayout>();

  beforeAll(async () => {
    const { engine, info: opened, scope } = await openMiniheat();
    info = { ...opened, key: "a-key" };
    for (const over of ["sum", "mean", "max"] as const) {
      const graph = await engine.superGraph({ scope: { ...scope, over }, filter: 0, groupBy: "first" });
      graphs.set(over, graph);
      for (const width of [300, 521, 900])
        layouts.set(
          `${over} ${layoutSize({ width, height: 600 }).width}`,
          await engine.layout({ graph: shapeOf(graph), size: layoutSize({ width, height: 600 }) }),
        );
    }
  });

  it("shows the graph of the newest values in the newest size, and nothing is said to be computed", async () => {
    const happenings = fc.array(happening, { maxLength: 30, size: "max" });
    await fc.assert(fc.asyncProperty(happenings, shows), { numRuns: 1000, examples: [[answeredWhileCancelled]] });
  });

  async function shows(happenings: readonly Happening[]): Promise<void> {
    let pending: Asked[] = [];
    let over: Over = "sum";
    let restore: () => void = () => undefined;
    const restored = new Promise<void>((resolve) => (restore = resolve));

    function ask<T>(value: () => T, task?: Task): Promise<T> {
      return new Promise((resolve, reject) => {
        const done = (end: () => void) => () => {
          pending = pending.filter((other) => other !== asked);
          end();
        };
        const asked: Asked = {
          isCancelled: false,
          answer: done(() => resolve(value())),
          giveUp: done(() => reject(new CancelledError())),
        };
        task?.onCancel?.(() => (asked.isCancelled = true));
        pending.push(asked);
      });
    }
    const graphOf = (of: OverRanks) => graphs.get(String(of)) ?? expect.fail(String(of));
    const engine: Partial<Engine> = {
      superGraph: ({ scope }: GraphQuery, task) => ask(() => graphOf(scope.over), task),
      barOrigins: ({ after }, task) => ask(() => graphOf(after.scope.over).bars.map(({ id }) => id), task),
      layout: ({ size: { width } }) => ask(() => layouts.get(`${over} ${width}`) ?? expect.fail(`${width}`)),
      barOf: (_, task) => ask(() => "physics.cpp", task),
      hotFunctions: (_, task) => ask(() => [], task),
      barHistograms: (_, task) => ask(() => noHistograms, task),
    };
    const scopeOf = ({ id, defaultMetric }: DataSetInfo): Scope => ({ dataSet: id, metric: defaultMetric, over });
    const here = new PanelWindow(engine, scopeOf, restored);
    const definition = superGraph({} as SavedStepsStore);
    const state = { ...definition.start, ...keptSteps(newSteps({ groupBy: "first" })) };
    new Panel(here.parts, here.panel, definition, "a-key", state);

    let width = 0;
    let isOpen = false;
    async function happen(what: Happening): Promise<void> {
      if ("width" in what) {
        // A view says that it is ready before it tells of other sizes.
        here.say({ type: width === 0 ? "ready" : what.kind, width: what.width, height: 600 });
        width = what.width;
      } else if (what.kind === "costs") here.changeCosts();
      else if (what.kind === "close" || what.kind === "open") {
        isOpen = what.kind === "open";
        here.hold(isOpen ? [info] : []);
      } else if (what.kind === "restored") restore();
      else if (what.kind === "select")
        here.select({ dataSet: info.id, target: { kind: "function", function: 0 }, name: "main", origin: "test" });
      else if (what.kind === "scope") {
        over = what.over;
        here.changeScope(info.id);
      } else if ("which" in what && pending.length > 0) {
        const asked = pending[what.which % pending.length];
        // A call that ends just when it is cancelled is answered.
        if (asked.isCancelled && !what.late) asked.giveUp();
        else asked.answer();
      }
      await settled();
    }

    for (const one of happenings) await happen(one);
    if (width === 0) await happen({ kind: "ready", width: 521 });
    if (!isOpen) await happen({ kind: "open" });
    await happen({ kind: "restored" });
    while (pending.length > 0) await happen({ kind: "answer", which: 0, late: false });

    const said = here.posted.filter(({ type }) => ["content", "problem", "progress"].includes(type));
    const last = said.at(-1);
    const { total } = graphOf(over);
    expect(last).toMatchObject({ type: "content", content: { total } });
    // The page keeps what the first picture chose, for a reload.
    const frame = here.posted.findLast(({ type }) => type === "frame");
    const { choice } = graphOf(over).chosen ?? {};
    expect(frame).toMatchObject({ restore: { steps: { groupBy: "first", first: { metric: "time", choice } } } });
    const drawn = here.posted.findLast(
      ({ type, revision, part }) => type === "part" && revision === last?.revision && isLayout(part),
    );
    expect(drawn?.part).toMatchObject({
      width: layouts.get(`${over} ${layoutSize({ width, height: 600 }).width}`)?.width,
    });
  }
});

function isLayout(part: unknown): boolean {
  return (part as { readonly kind: string }).kind === "layout";
}

const answer = (which: number, late = false): Happening => ({ kind: "answer", which, late });

/** Where bars were before is answered although nobody wants the graph after them any more. */
const answeredWhileCancelled: Happening[] = [
  { kind: "open" },
  { kind: "ready", width: 300 },
  answer(0),
  answer(0),
  answer(0),
  { kind: "scope", over: "sum" },
  answer(0),
  { kind: "scope", over: "sum" },
  answer(3),
  answer(3),
  answer(0, true),
];

const noHistograms: BarHistograms = { by: "rank", members: [], counting: 0, bars: [], values: new Float64Array() };

/** All that follows from what has happened, but for answers, has happened too. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
