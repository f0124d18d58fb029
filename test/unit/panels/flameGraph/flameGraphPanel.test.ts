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
import { FlameGraphPanel } from "../../../../src/panels/flameGraph/flameGraphPanel";
import type { FlamePanelState } from "../../../../src/panels/flameGraph/flameMessage";
import { parseToFlameGraph } from "../../../../src/protocol/flameGraph";
import { dataSetInfo } from "../../session/sampleInfo";
import { PanelWindow } from "../panelWindow";

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../../session/standInForVsCode");
  return standIn(heardNothing());
});

/** A question for rectangles that the test answers when it likes. */
interface Asked {
  readonly query: FlameQuery;
  readonly window: FlameWindow;
  answer(): void;
  fail(): void;
}

const none = { depth: [], x: [], width: [], inclusive: [], exclusive: [], parent: [], name: [], node: [] };

/** An answer without rectangles, whose levels say which question it answers. */
function flamesOf({ firstDepth }: FlameWindow) {
  return {
    rectangles: { count: 0, ...none, together: [], group: [], flags: [] },
    ...{
      names: [],
      groups: [],
      width: 10,
      total: 10,
      levels: firstDepth,
      nodes: 0,
      hottest: 1,
      covering: [],
      notes: [],
    },
  };
}

describe("a flame graph's panel", () => {
  const info = dataSetInfo();
  const other = dataSetInfo({ id: 2, name: "other.cali", files: ["/data/other.cali"] });
  const scopeOf = ({ id }: DataSetInfo): Scope => ({ dataSet: id, metric: 0, over: "sum" });
  const begin: FlamePanelState = {
    files: ["/data/profile.cali"],
    mode: "recording",
    order: "left-heavy",
    colour: "exclusive",
  };
  const scope = scopeOf(info);
  const graph: GraphQuery = { scope, filter: 0.1, groupBy: "file", compared: scopeOf(other) };
  let asked: Asked[];
  let named: ((rows: unknown[]) => void)[];
  /** Nodes that details were asked of. */
  let explained: number[];
  let here: PanelWindow;
  let panel: FlameGraphPanel;

  beforeEach(() => {
    [asked, named, explained] = [[], [], []];
    const engine = {
      flameDetails: ({ node }: ArgumentOf<"flameDetails">) => {
        explained.push(node);
        return Promise.reject(new Error("There are none."));
      },
      hotFunctions: () => new Promise((resolve) => named.push(resolve)),
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
    panel = new FlameGraphPanel(here.parts, here.panel, begin);
  });

  const drawn = () => here.posted.filter(({ type }) => type === "flames").map(({ levels }) => levels);
  const problems = () => here.posted.filter(({ type }) => type === "problem").map(({ message }) => message);
  const look = (firstDepth: number) => {
    const sight = { from: 0, to: 1, firstDepth, endDepth: firstDepth + 10, width: 800 };
    here.say({ type: "look", pane: "recording", ...sight });
  };
  /** Until everything that can go on has gone on. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it("is never set back to what was in sight before by an answer that took longer", async () => {
    here.say({ type: "ready", width: 800, height: 600 });
    await settled();
    look(20);
    await settled();
    const [first, second] = asked;
    expect([first.window.firstDepth, second.window.firstDepth]).toEqual([0, 20]);
    second.answer();
    await settled();
    first.answer();
    await settled();
    expect(drawn()).toEqual([20]);
    expect(here.posted.filter(({ type }) => type === "flames").every((message) => parseToFlameGraph(message))).toBe(
      true,
    );
  });

  it("says nothing of a look into a drawing that another has taken the place of", async () => {
    here.say({ type: "ready", width: 800, height: 600 });
    await settled();
    asked[0].answer();
    await settled();
    look(20);
    await settled();
    here.say({ type: "retry" });
    await settled();
    asked[1].fail();
    asked[2].answer();
    await settled();
    expect([problems(), drawn()]).toEqual([[], [0, 20]]);
  });

  it("explains and opens what is in sight while another drawing is computed, and after that was cancelled", async () => {
    here.say({ type: "ready", width: 800, height: 600 });
    await settled();
    asked[0].answer();
    await settled();
    const [{ revision }] = here.posted.filter(({ type }) => type === "flames");
    const explain = async (node: number) => {
      here.say({ type: "explain", pane: "recording", revision, node });
      await settled();
      return explained;
    };
    expect(await explain(1)).toEqual([1]);
    here.say({ type: "retry" });
    await settled();
    expect(asked).toHaveLength(2);
    expect(await explain(2)).toEqual([1, 2]);
    here.say({ type: "cancel" });
    await settled();
    expect(await explain(3)).toEqual([1, 2, 3]);
  });

  it("answers no look out of the drawing before while it says what went wrong", async () => {
    here.say({ type: "ready", width: 800, height: 600 });
    await settled();
    asked[0].fail();
    await settled();
    look(20);
    await settled();
    expect([problems(), asked.length]).toEqual([["It went wrong."], 1]);
    here.say({ type: "retry" });
    await settled();
    asked[1].answer();
    await settled();
    expect(drawn()).toEqual([20]);
  });

  it("shows what was chosen last, though the name of another choice took longer to look up", async () => {
    here.say({ type: "ready", width: 800, height: 600 });
    await settled();
    const sandwich = panel.showSandwich(3);
    void panel.showBar({ ...graph, compared: undefined }, "MPI");
    named[0]([{ function: 3, name: "solve", detail: "" }]);
    await sandwich;
    await settled();
    expect(here.posted.filter(({ type }) => type === "controls").at(-1)).toMatchObject({ mode: "bar", bar: "MPI" });
  });

  it("looks into a bar of a comparison with both recordings, and says whose contexts are shown", async () => {
    here.say({ type: "ready", width: 800, height: 600 });
    void panel.showBar(graph, "MPI");
    await settled();
    const { query } = asked.at(-1) as Asked;
    expect(query.of).toMatchObject({ kind: "bar", bar: "MPI", query: { filter: 0.1, compared: { dataSet: 2 } } });
    asked.at(-1)?.answer();
    const { notes } = await here.next(({ type }) => type === "flames");
    expect(notes).toEqual([
      "The bar is of profile.cali compared with other.cali; only contexts of profile.cali are shown.",
    ]);
  });

  it("says so while the other recording is not open, and shows the bar when it is", async () => {
    here.say({ type: "ready", width: 800, height: 600 });
    void panel.showBar(graph, "MPI");
    await settled();
    asked.at(-1)?.answer();
    await settled();
    here.hold([info]);
    await settled();
    expect(problems()).toEqual([
      "MPI is a bar of a comparison. other.cali is not open: nothing is compared until it is opened again.",
    ]);
    const before = asked.length;
    here.hold([info, { ...other, id: 5 }]);
    await settled();
    expect(asked.slice(before).map(({ query: { of } }) => of)).toMatchObject([{ query: { compared: { dataSet: 5 } } }]);
  });

  it("says after a reload what was too long to be kept for it, until something else is chosen", async () => {
    here.say({ type: "ready", width: 800, height: 600 });
    void panel.showBar({ ...graph, groupBy: "map", map: { MPI: ["x".repeat(100_000)] } }, "MPI");
    await settled();
    const restore = here.posted.findLast(({ type }) => type === "controls")?.restore;
    const after = new PanelWindow(here.parts.session.engine, scopeOf);
    after.hold([info]);
    const reloaded = new FlameGraphPanel(after.parts, after.panel, restore as FlamePanelState);
    const shown = async (kind: string) => {
      const from = after.posted.length;
      await settled();
      const own = asked.at(-1) as Asked;
      expect(own.query.of.kind).toBe(kind);
      own.answer();
      return (await after.next(({ type }) => type === "flames", from)).notes;
    };
    after.say({ type: "ready", width: 800, height: 600 });
    const notes = [expect.stringMatching(/whole recording.* inside MPI is too long.*kept for a reload.*“Look inside”/)];
    expect(await shown("recording")).toEqual(notes);
    after.say({ type: "set-order", order: "call-order" });
    expect(await shown("recording")).toEqual(notes);
    void reloaded.showBar({ ...graph, compared: undefined }, "MPI");
    expect(await shown("bar")).toEqual([]);
  });
});
