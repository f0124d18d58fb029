import { beforeEach, describe, expect, it, vi } from "vitest";
import type {
  ArgumentOf,
  DataSetInfo,
  Engine,
  FlameQuery,
  FlameWindow,
  GraphQuery,
  Scope,
} from "../../../../src/engine/api";
import { flameGraphCommands } from "../../../../src/panels/flameGraph/commands";
import { flameGraph } from "../../../../src/panels/flameGraph/definition";
import type { FlamesShown } from "../../../../src/panels/flameGraph/flames";
import { CancelledError } from "../../../../src/model/errors";
import type { Task } from "../../../../src/model/task";
import { Panel } from "../../../../src/panels/kit/panel";
import { parse } from "../../../../src/protocol/bounds";
import {
  type FlameContent,
  flameContent,
  flameMark,
  type FlameState,
  flameState,
} from "../../../../src/protocol/flameGraph";
import { dataSetInfo, metricInfo } from "../../session/sampleInfo";
import { PanelWindow } from "../panelWindow";

/** Commands that the panel ran, with their arguments. */
const ran = vi.hoisted(() => [] as unknown[][]);

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../../session/standInForVsCode");
  const executeCommand = (...command: unknown[]) => Promise.resolve(void ran.push(command));
  return { ...standIn(heardNothing()), commands: { executeCommand } };
});

/** A question for rectangles that the test answers when it likes. */
interface Asked {
  readonly query: FlameQuery;
  readonly window: FlameWindow;
  answer(): void;
  fail(): void;
}

const floats = new Float64Array(0);
const whole = new Int32Array(0);
const none = {
  depth: whole,
  x: floats,
  width: floats,
  inclusive: floats,
  exclusive: floats,
  parent: whole,
  name: whole,
};
const nothing = {
  count: 0,
  ...none,
  node: whole,
  together: whole,
  frames: whole,
  group: whole,
  flags: new Uint8Array(0),
};

/** An answer without rectangles, whose levels say which question it answers. */
function flamesOf({ firstDepth }: FlameWindow) {
  return {
    rectangles: nothing,
    names: [],
    shown: [],
    groups: [],
    width: 10,
    total: 10,
    levels: firstDepth,
    nodes: 0,
    hottest: 1,
    covering: [],
    notes: [],
  };
}

describe("a flame graph's panel", () => {
  const info = { ...dataSetInfo(), key: "own" };
  const other = { ...dataSetInfo({ id: 2, name: "other.cali", files: ["/data/other.cali"] }), key: "other" };
  const scopeOf = ({ id }: DataSetInfo): Scope => ({ dataSet: id, metric: 0, over: "sum" });
  const scope = scopeOf(info);
  const graph: GraphQuery = { scope, filter: 0.1, groupBy: "file", compared: scopeOf(other) };
  const alone: GraphQuery = { ...graph, compared: undefined };
  const ready = { type: "ready", width: 800, height: 600 };
  let asked: Asked[];
  let named: ((rows: unknown[]) => void)[];
  /** Nodes that details were asked of. */
  let explained: number[];
  /** Until then the engine answers nothing of rectangles. */
  let busy: Promise<void>;
  let here: PanelWindow;
  let panel: Panel<FlameState, FlamesShown, FlameContent, never, never>;

  beforeEach(() => {
    [asked, named, explained] = [[], [], []];
    busy = Promise.resolve();
    const link = { places: [], reason: "There is none." };
    const engine = {
      flameDetails: ({ node }: ArgumentOf<"flameDetails">, task?: Task) => {
        explained.push(node);
        const cancelled = new Promise((_, reject) => task?.onCancel?.(() => reject(new CancelledError())));
        const details = {
          name: "solve",
          path: ["main"],
          pathBefore: 0,
          context: 4,
          function: 3,
          contexts: 1,
          link,
        };
        return Promise.race([cancelled, busy.then(() => details)]);
      },
      // A sandwich looks for its function among all; lists of the hottest have few.
      hotFunctions: ({ limit }: ArgumentOf<"hotFunctions">) =>
        limit < 100 ? Promise.resolve([]) : new Promise((resolve) => named.push(resolve)),
      flames: ({ query, window }: ArgumentOf<"flames">) =>
        new Promise((resolve, reject) =>
          asked.push({
            query,
            window,
            answer: () => resolve(flamesOf(window)),
            fail: () => reject(new Error("It went wrong.")),
          }),
        ),
    } as unknown as Engine;
    here = new PanelWindow(engine, scopeOf);
    here.hold([info, other]);
    panel = new Panel(here.parts, here.panel, flameGraph, "own", flameGraph.start);
  });

  const contents = () =>
    here.posted.filter(({ type }) => type === "content").map(({ content }) => content as FlameContent);
  const drawn = () => contents().map(({ panes }) => panes[0].levels);
  const problems = () => here.posted.filter(({ type }) => type === "problem").map(({ message }) => message);
  const notes = () =>
    (here.posted.findLast(({ type }) => type === "frame")?.notices as { text: string }[]).map(({ text }) => text);
  const revision = () => here.posted.findLast(({ type }) => type === "content")?.revision;
  /** Until everything that can go on has gone on. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const say = async (message: { type: string; [name: string]: unknown }) => {
    here.say(message);
    await settled();
  };
  const look = (firstDepth: number) => {
    const window = { from: 0, to: 1, firstDepth, endDepth: firstDepth + 10, width: 800 };
    const subject = contents().at(-1)?.subject;
    return say({ type: "look", revision: revision() ?? 0, look: { subject, windows: [window] } });
  };
  const answer = async (at = asked.length - 1) => {
    asked[at].answer();
    await settled();
  };
  const showBar = (query: GraphQuery, name = "MPI") => {
    const selection = { dataSet: info.id, target: { kind: "bar", query, bar: "MPI" }, name, origin: "" } as const;
    here.select(selection);
    const commands = flameGraphCommands(here.parts.session, { show: () => Promise.resolve(panel) });
    return commands["heatflow.flameGraph.lookInside"](undefined);
  };

  it("is never set back to what was in sight before by an answer that took longer", async () => {
    await say(ready);
    await answer();
    await look(20);
    await look(30);
    expect(asked.map(({ window }) => window.firstDepth)).toEqual([0, 20, 30]);
    await answer(2);
    await answer(1);
    expect(drawn()).toEqual([0, 30]);
    expect(contents().every((content) => parse(flameContent, content) !== undefined)).toBe(true);
  });

  it("asks for a part that is in sight only once, and for no fewer rectangles", async () => {
    await say(ready);
    await answer();
    await look(20);
    await answer();
    await look(20);
    expect(asked.map(({ window }) => [window.firstDepth, window.mostRectangles])).toEqual([
      [0, 8000],
      [20, 8000],
    ]);
  });

  it("says nothing of a look into a drawing that another has taken the place of", async () => {
    await say(ready);
    await answer();
    await look(20);
    await say({ type: "retry" });
    asked[1].fail();
    await answer(2);
    expect([problems(), drawn()]).toEqual([[], [0, 20]]);
  });

  it("explains and opens what is in sight while another drawing is computed, and after that was cancelled", async () => {
    await say(ready);
    await answer();
    const explain = async (node: number) => {
      await say({ type: "explain", revision: revision(), mark: flameMark(0, node) });
      return explained;
    };
    expect(await explain(1)).toEqual([1]);
    await say({ type: "retry" });
    expect(asked).toHaveLength(2);
    expect(await explain(2)).toEqual([1, 2]);
    await say({ type: "cancel" });
    expect(await explain(3)).toEqual([1, 2, 3]);
  });

  it("asks about a rectangle once: a click on what was explained needs no answer", async () => {
    await say(ready);
    await answer();
    await say({ type: "explain", revision: revision(), mark: flameMark(0, 5) });
    await say({ type: "mark", action: "select", revision: revision(), mark: flameMark(0, 5) });
    expect(explained).toEqual([5]);
    expect(here.selections).toMatchObject([{ target: { kind: "context", context: 4 }, name: "solve" }]);
  });

  it("leads to the hottest line of its function, in all of its contexts, and selects the rectangle's own", async () => {
    await say(ready);
    await answer();
    ran.length = 0;
    await say({ type: "mark", action: "hottest-line", revision: revision(), mark: flameMark(0, 5) });
    expect(ran).toMatchObject([["heatflow.rows.goToHottestLine", { dataSet: info.id, function: 3 }]]);
    expect(here.selections).toMatchObject([{ target: { kind: "context", context: 4 }, name: "solve" }]);
  });

  it("keeps a click, and what is said of the selected rectangle, when the pointer goes on to another one", async () => {
    await say(ready);
    await answer();
    let idle = () => undefined as void;
    busy = new Promise((resolve) => (idle = resolve));
    await say({ type: "explain", revision: revision(), mark: flameMark(0, 5) });
    await say({ type: "mark", action: "select", revision: revision(), mark: flameMark(0, 5) });
    await say({ type: "explain", revision: revision(), mark: flameMark(0, 6) });
    idle();
    await settled();
    expect(here.selections).toMatchObject([{ target: { kind: "context", context: 4 }, name: "solve" }]);
    const marks = here.posted.filter(({ type }) => type === "explained").map(({ mark }) => mark);
    expect(marks).toEqual([flameMark(0, 5), flameMark(0, 6)]);
  });

  it("answers no look out of the drawing before while it says what went wrong", async () => {
    await say(ready);
    await answer();
    await say({ type: "retry" });
    asked[1].fail();
    await settled();
    await look(20);
    expect([problems(), asked.length]).toEqual([["It went wrong."], 2]);
    await say({ type: "retry" });
    await answer();
    expect(drawn()).toEqual([0, 20]);
  });

  it("shows what was chosen last, though the name of another choice took longer to look up", async () => {
    await say(ready);
    await answer();
    await say({ type: "mark", action: "sandwich", revision: revision(), mark: flameMark(0, 1) });
    await showBar(alone);
    named[0]([{ function: 3, name: "solve", detail: "" }]);
    await settled();
    expect(here.posted.findLast(({ type }) => type === "frame")?.restore).toMatchObject({
      mode: "bar",
      bar: { bar: "MPI" },
    });
  });

  it("is coloured by the difference from the baseline whichever recording is shown elsewhere, and says why not", async () => {
    const third = { ...dataSetInfo({ id: 3, name: "third.cali", files: ["/data/third.cali"] }), key: "third" };
    here.hold([info, other, third]);
    here.compare(other.id, info.id);
    const byDifference = async (current: DataSetInfo) => {
      here.showElsewhere(current);
      await say({ type: "retry" });
      await answer();
      return asked.at(-1)?.query.compared;
    };
    await say(ready);
    await answer();
    await say({ type: "control", id: "colour", value: "difference" });
    for (const current of [info, other, third]) expect(await byDifference(current)).toEqual(scopeOf(other));
    here.hold([info, { ...other, metrics: [metricInfo({ name: "energy", unit: "J" })] }, third]);
    expect(await byDifference(info)).toBeUndefined();
    expect(notes()).toEqual(["Not compared: other.cali has no metric time. Choose a metric that both have."]);
    // What is subtracted is of the metric that is drawn, though both have the baseline's.
    const wide = { ...info, metrics: [metricInfo({ name: "energy", unit: "J" }), ...info.metrics] };
    here.hold([wide, other, third]);
    expect(await byDifference(wide)).toBeUndefined();
    expect(notes()).toEqual(["Not compared: other.cali has no metric energy. Choose a metric that both have."]);
  });

  it("begins by difference while its recording is compared with a baseline, until another colour is chosen", async () => {
    const shown = () => {
      const controls = here.posted.findLast(({ type }) => type === "frame")?.controls as {
        id: string;
        value: string;
      }[];
      return [controls.find(({ id }) => id === "colour")?.value, asked.at(-1)?.query.compared];
    };
    await say(ready);
    expect(shown()).toEqual(["exclusive", undefined]);
    here.compare(other.id, info.id);
    here.changeScope(info.id);
    await settled();
    expect(shown()).toEqual(["difference", scopeOf(other)]);
    // The baseline has nothing that it differs from.
    here.compare(info.id, other.id);
    here.changeScope(info.id);
    await settled();
    expect(shown()).toEqual(["exclusive", undefined]);
    here.compare(other.id, info.id);
    await say({ type: "control", id: "colour", value: "exclusive" });
    expect(shown()).toEqual(["exclusive", undefined]);
    const restore = here.posted.findLast(({ type }) => type === "frame")?.restore;
    expect(parse(flameState, restore)?.colour).toBe("exclusive");
  });

  it("says why it is not by difference where nothing was chosen and the two cannot be compared", async () => {
    here.hold([info, { ...other, metrics: [metricInfo({ name: "energy", unit: "J" })] }]);
    here.compare(other.id, info.id);
    await say(ready);
    await answer();
    expect(notes()).toEqual(["Not compared: other.cali has no metric time. Choose a metric that both have."]);
  });

  it("looks into a bar of a comparison with both recordings, and says whose contexts are shown", async () => {
    await say(ready);
    await showBar(graph);
    await settled();
    const { query } = asked.at(-1) as Asked;
    expect(query.of).toMatchObject({ kind: "bar", bar: "MPI", query: { filter: 0.1, compared: { dataSet: 2 } } });
    await answer();
    const whose = "Only contexts of profile.cali are shown; the bar is of profile.cali compared with other.cali.";
    expect(notes()).toEqual([whose]);
    // By difference it is said first, too.
    here.compare(other.id, info.id);
    here.changeScope(info.id);
    await settled();
    await answer();
    expect(notes()).toEqual([whose, expect.stringMatching(/^Compared by call path/)]);
  });

  it("says so while the other recording is not open, and shows the bar when it is", async () => {
    await say(ready);
    await showBar(graph);
    await settled();
    await answer();
    here.hold([info]);
    await settled();
    expect(problems()).toEqual([expect.stringMatching(/^MPI was a bar of a comparison\. other\.cali is not open/)]);
    const before = asked.length;
    here.hold([info, { ...other, id: 5 }]);
    await settled();
    expect(asked.slice(before).map(({ query: { of } }) => of)).toMatchObject([{ query: { compared: { dataSet: 5 } } }]);
  });

  it("says after a reload what was too long to be kept for it, until something else is chosen", async () => {
    await say(ready);
    const operations = Array.from(
      { length: 300 },
      () => ({ kind: "hide", target: { group: "x".repeat(4000) } }) as const,
    );
    await showBar({ ...alone, operations });
    await settled();
    expect(asked.at(-1)?.query.of.kind).toBe("bar");
    const restore = here.posted.findLast(({ type }) => type === "frame")?.restore;
    const kept = parse(flameState, JSON.parse(JSON.stringify(restore)));
    expect(kept?.bar).toEqual({ kind: "lost", name: "MPI" });
    here = new PanelWindow(here.parts.session.engine, scopeOf);
    here.hold([info]);
    panel = new Panel(here.parts, here.panel, flameGraph, "own", kept ?? flameGraph.start);
    const shown = async (kind: string) => {
      await settled();
      expect(asked.at(-1)?.query.of.kind).toBe(kind);
      await answer();
      return notes();
    };
    await say(ready);
    const lost = [expect.stringMatching(/MPI.*too large.*kept.*whole recording.*“Look inside”/) as string];
    expect(await shown("recording")).toEqual(lost);
    await say({ type: "control", id: "order", value: "call-order" });
    expect(await shown("recording")).toEqual(lost);
    await showBar(alone);
    expect(await shown("bar")).toEqual([]);
  });

  it("keeps functions of any name for a reload", async () => {
    const name = "f".repeat(5000);
    await say(ready);
    await answer();
    await say({ type: "mark", action: "sandwich", revision: revision(), mark: flameMark(0, 1) });
    // Its name is looked up when it is chosen, and its number by that name.
    for (let times = 0; times < 2; times++) {
      named.at(-1)?.([{ function: 3, name, detail: "" }]);
      await settled();
    }
    expect(asked.at(-1)?.query.of).toEqual({ kind: "callers", function: 3 });
    const restore = here.posted.findLast(({ type }) => type === "frame")?.restore;
    expect(parse(flameState, restore)).toMatchObject({
      mode: "sandwich",
      function: { name: expect.any(String) as string },
    });
  });
});
