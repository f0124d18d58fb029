import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { DataSetInfo, Engine } from "../../src/engine/api";
import { localEngine } from "../../src/engine/localEngine";
import { chosenRanks } from "../../src/model/members";
import { quietTask } from "../../src/model/task";
import { allRecordings, clocks } from "../../src/panels/clocks/definition";
import type { View } from "../../src/panels/kit/definition";
import { SECTORS } from "../../src/protocol/clock";
import type { ClocksState } from "../../src/protocol/clocks";
import type { Session } from "../../src/session/session";
import { isRun, sectorSeconds } from "../../webviews/kit/clock";
import { draw, runFacts, runWords } from "../../webviews/clocks/drawing";
import { miniheat } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { HOSTILE_NAME, panelLaws } from "./kit/panelLaws";
import { plainTheme } from "./kit/plainTheme";
import { size } from "./kit/samples";

vi.mock("vscode", () => import("./fakeVsCode"));

type ClocksView = View<ClocksState>;

interface World {
  readonly engine: Engine;
  readonly infos: readonly DataSetInfo[];
}

let opened: Promise<World> | undefined;

/** Three ranks of the sample program, as three recordings, and one without events. */
function world(): Promise<World> {
  return (opened ??= open());
}

async function open(): Promise<World> {
  const engine = localEngine(grammars);
  const infos = [];
  for (const file of ["trace/events-0.cali", "trace/events-3.cali", "trace/messages-1.cali", "profile-8ranks.cali"])
    infos.push(...(await engine.open({ paths: [path.join(miniheat, "profiles", file)] })));
  return { engine, infos };
}

function viewIn(
  { engine, infos }: World,
  state: ClocksState = clocks.start,
  changes: Partial<Session> = {},
): ClocksView {
  const dataSets = infos.map((info, at) => ({ ...info, key: `key ${at}` }));
  const scopeOf = (id: number) => ({ dataSet: id, metric: 0, over: "sum" as const });
  const session = { engine, dataSets, current: dataSets[0], scope: scopeOf, ...changes } as unknown as Session;
  const [dataSet] = dataSets;
  return {
    session,
    dataSet,
    scope: scopeOf(dataSet.id),
    metric: dataSet.metrics[0],
    size,
    state,
    selection: undefined,
  };
}

panelLaws({
  definition: clocks,
  draw,
  async samples() {
    const view = viewIn(await world());
    const shown = await clocks.ask(view, quietTask, []);
    const compared = viewIn(await world(), { compares: true });
    const many = { ...shown, runs: Array.from({ length: 90 }, (_, at) => shown.runs[at % shown.runs.length]) };
    const hostile = { ...shown.runs[0], dataSet: { ...shown.runs[0].dataSet, name: HOSTILE_NAME } };
    return [
      { name: "measured", view, shown },
      { name: "compared", view: compared, shown: await clocks.ask(compared, quietTask, []), isPictured: true },
      { name: "many", view, shown: many, isPictured: true },
      { name: "hostile names", view, shown: { ...shown, runs: [hostile] } },
    ];
  },
});

describe("a grid of clocks", () => {
  it("has one clock for each open recording with events, the longest run first", async () => {
    const view = viewIn(await world());
    const { runs } = clocks.content(await clocks.ask(view, quietTask, []), view);
    const lengths = (await world()).infos.flatMap(({ trace }) =>
      trace && trace.events > 0 ? [trace.endSeconds - trace.startSeconds] : [],
    );
    expect(runs.map(({ seconds }) => seconds)).toEqual([...lengths].sort((a, b) => b - a));
    expect(runs.filter(({ isCurrent }) => isCurrent).map(({ name }) => name)).toEqual(["events-0.cali"]);
    for (const run of runs) expect(runWords(run)).toMatch(/^\d+ ms · bound by communication$/);
    expect(runFacts(runs[0])).toContainEqual(["GPU", "no GPU recorded"]);
  });

  it("names each in little room by what tells it from the others, with how long it took as a whole", async () => {
    const view = viewIn(await world());
    const shown = await clocks.ask(view, quietTask, []);
    const names = [3, 0, 12].map((rank) => `weak-scaling-of-the-solver-${rank}.cali`);
    const renamed = shown.runs.map((run, at) => ({ ...run, dataSet: { ...run.dataSet, name: names[at] } }));
    const many = { ...shown, runs: Array.from({ length: 90 }, (_, at) => renamed[at % 3]) };
    const drawing = {
      width: 400,
      height: 620,
      theme: plainTheme,
      measure: (size: number) => (text: string) => text.length * size * 0.65,
    };
    const content = clocks.content(many, view);
    const texts = draw(content, drawing).below.flatMap((shape) => (shape.kind === "text" ? [shape] : []));
    const called = texts.filter(({ weight, size }) => weight === 600 && size === 12);
    expect(new Set(called.map(({ text }) => text))).toEqual(new Set(["3", "0", "12"]));
    expect(new Set(called.map(({ title }) => title))).toEqual(new Set(names));
    const says = texts.filter(({ weight }) => weight === undefined).map(({ text }) => text);
    expect(says.length).toBe(called.length);
    for (const text of says) expect(text).toMatch(/^\d+ ms( · communication)?$/);
  });

  it("compares on the longest run's scale: shorter ones end earlier, and lose nothing", async () => {
    const [view, compared] = [viewIn(await world()), viewIn(await world(), { compares: true })];
    const alone = clocks.content(await clocks.ask(view, quietTask, []), view).runs;
    const { runs } = clocks.content(await clocks.ask(compared, quietTask, []), compared);
    const longest = runs[0].seconds;
    runs.forEach(({ clock, seconds }, at) => {
      expect(clock.to - clock.from).toBeCloseTo(longest, 12);
      const there = Array.from({ length: SECTORS }, (_, sector) => sector).filter((sector) => isRun(clock, sector));
      expect(there.length).toBe(Math.ceil((seconds / longest) * SECTORS - 1e-9));
      const sum = (of: typeof clock) =>
        Array.from({ length: SECTORS }, (_, sector) => sectorSeconds(of, sector)).reduce((all, one) => all + one, 0);
      expect(sum(clock)).toBeCloseTo(sum(alone[at].clock), 9);
      expect(clock.bound).toEqual(alone[at].clock.bound);
    });
  });

  it("frames the run whose lanes are highlighted, whichever is the current one", async () => {
    const view = viewIn(await world());
    const shown = await clocks.ask(view, quietTask, []);
    const content = clocks.content(shown, view);
    const other = shown.runs.findIndex(({ dataSet }) => dataSet.id !== view.dataSet.id);
    const of = (dataSet: number, lanes: number[]) =>
      clocks.highlighted?.(shown, { dataSet, lanes, kinds: [], name: "rank 3" }, view);
    expect(of(shown.runs[other].dataSet.id, [0])).toEqual([other]);
    expect([of(-1, [0]), of(view.dataSet.id, [])]).toEqual([[], []]);
    const frames = (places: number[]) => {
      const highlighted = { name: "rank 3", places: new Set(places), kinds: new Set<never>() };
      const drawing = { ...size, theme: plainTheme, measure: () => (text: string) => text.length * 6, highlighted };
      return draw(content, drawing).above.flatMap((shape) => (shape.kind === "path" && shape.dash ? [shape.d] : []));
    };
    expect(frames([])).toEqual([]);
    // Around the clock alone: words below it may be wider.
    const [, , , wide, high] = /^M(.+),(.+)h(.+)v(.+)h/.exec(frames([other])[0]) ?? [];
    expect(frames([other])).toHaveLength(1);
    expect(high).toBe(wide);
  });

  it("shows a run in its summary, and makes it the current one", async () => {
    const made: unknown[] = [];
    const view = viewIn(await world(), clocks.start, { setCurrent: (id) => made.push(id) });
    const shown = await clocks.ask(view, quietTask, []);
    const run = (...what: unknown[]) => Promise.resolve(made.push(what));
    await clocks.actions?.select(shown, 1, { view, run } as never);
    const { id } = shown.runs[1].dataSet;
    expect(made).toEqual([id, ["heatflow.showSummary", { target: undefined, name: "" }, { dataSet: id }]]);
  });

  it("follows what is open: clocks that are there are not asked for again, one that fails leaves the others", async () => {
    const { engine, infos } = await world();
    const view = viewIn({ engine, infos });
    const shown = await clocks.ask(view, quietTask, []);
    const asked: number[] = [];
    const clock = (query: { dataSet: number }) => {
      asked.push(query.dataSet);
      return Promise.reject(new Error("changed on disk"));
    };
    const fewer = { ...view.session, engine: { clock } as unknown as Engine, dataSets: view.session.dataSets.slice(1) };
    const restricted = { dataSet: 0, metric: 0, over: "sum" as const, chosen: chosenRanks([3]) };
    const scope = (id?: number) => (id === infos[1].id ? restricted : undefined);
    const after = await clocks.ask({ ...view, session: { ...fewer, scope } }, quietTask, [{ shown, revision: 1 }]);
    expect(asked).toEqual([infos[1].id]);
    expect(after.runs.map(({ dataSet }) => dataSet.name)).toEqual(["messages-1.cali"]);
    expect(after.missing).toEqual([expect.stringMatching(/^events-3\.cali has no clock: /)]);
    const source = allRecordings(view.session);
    expect(source.dataSet?.id).toBe(infos[0].id);
    expect(allRecordings({ ...view.session, dataSets: [], current: undefined }).closed().message).toBe(
      "No recording is open.",
    );
  });

  it("says how many have no room", async () => {
    const view = viewIn(await world());
    const shown = await clocks.ask(view, quietTask, []);
    const content = clocks.content({ ...shown, runs: Array.from({ length: 200 }, () => shown.runs[0]) }, view);
    const measure = (of: number) => (text: string) => text.length * of * 0.6;
    const { marks, above } = draw(content, { width: 400, height: 500, theme: plainTheme, measure });
    expect(above).toMatchObject([{ text: `${200 - marks.length} shorter runs: in the table` }]);
  });
});
