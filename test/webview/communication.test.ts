import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { CommunicationMatrix, MatrixAxis, MatrixValues } from "../../src/engine/api";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import type { View } from "../../src/panels/kit/definition";
import { communication } from "../../src/panels/communication/definition";
import { MARK_LIMIT, parse } from "../../src/protocol/bounds";
import { type CommunicationState, ROW_LIMIT } from "../../src/protocol/communication";
import { besideList, commonPrefix, details, pairFacts, summary } from "../../webviews/communication/describe";
import { draw } from "../../webviews/communication/drawing";
import { miniheat } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { HOSTILE_NAME, panelLaws } from "./kit/panelLaws";
import { plainTheme } from "./kit/plainTheme";
import { viewOf } from "./kit/samples";
import { openPage, sendSample } from "./kit/showing";
import { PanelWindow } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

type CommunicationView = View<CommunicationState>;

let opened: Promise<CommunicationView> | undefined;

/** The sample program's messages on 8 ranks. */
function measuredView(): Promise<CommunicationView> {
  return (opened ??= open());
}

async function open(): Promise<CommunicationView> {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
  const files = Array.from({ length: 8 }, (_, rank) => path.join(miniheat, `profiles/trace/messages-${rank}.cali`));
  const [info] = await engine.open({ paths: files });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
  return viewOf({ engine, info, scope }, communication.start);
}

function measured(): Promise<CommunicationMatrix> {
  return measuredView().then((view) => communication.ask(view, quietTask, []));
}

const zeros = (size: number): MatrixValues => ({
  bytes: new Float64Array(size),
  count: new Float64Array(size),
  seconds: new Float64Array(size),
});

/** Pairs and their bytes as a matrix. */
function matrixOf(
  names: readonly string[],
  pairs: readonly (readonly [row: number, column: number, bytes: number])[],
  changes: Partial<CommunicationMatrix> = {},
  level = "rank",
): CommunicationMatrix {
  const axis: MatrixAxis = { level, together: 1, groups: names.map((name, at) => ({ name, first: at, last: at })) };
  const [ofRows, ofColumns, cells] = [zeros(names.length), zeros(names.length), zeros(pairs.length)];
  pairs.forEach(([row, column, bytes], at) => {
    for (const [values, index] of [
      [ofRows, row],
      [ofColumns, column],
      [cells, at],
    ] as const) {
      values.bytes[index] += bytes;
      values.count[index] += 1;
      values.seconds[index] += bytes / 1e9;
    }
  });
  const total = { bytes: pairs.reduce((sum, [, , bytes]) => sum + bytes, 0), count: pairs.length, seconds: 0.1 };
  return {
    levels: [level],
    size: names.length,
    rows: axis,
    columns: axis,
    ofRows,
    ofColumns,
    total,
    cells: {
      row: Int32Array.from(pairs, ([row]) => row),
      column: Int32Array.from(pairs, ([, column]) => column),
      ...cells,
      context: new Int32Array(pairs.length).fill(-1),
    },
    beside: [],
    calls: [],
    ...changes,
  };
}

const ranksNamed = (count: number) => Array.from({ length: count }, (_, rank) => `rank ${rank}`);
const devices = matrixOf(
  ["host", "GPU 0", "GPU 1"],
  [
    [0, 1, 2_147_483_648],
    [1, 0, 1_073_741_824],
    [1, 2, 65_536],
  ],
  { beside: [{ name: "memset", moves: false, bytes: 0, count: 312, seconds: 1.2e-3 }] },
  "device",
);
/** As many ranks as have rows of their own, each with a band of others. */
const many = matrixOf(
  ranksNamed(200),
  Array.from({ length: 200 }, (_, row) =>
    [-16, -1, 1, 16].flatMap((step) =>
      row + step >= 0 && row + step < 200 ? [[row, row + step, 1e6 * (1 + (row % 7))] as const] : [],
    ),
  ).flat(),
);
const all = Array.from({ length: 141 }, (_, row) => row);

panelLaws({
  definition: communication,
  draw,
  async samples() {
    const view = await measuredView();
    const of = { ...view, state: { by: "bytes" as const, of: "devices" as const } };
    return [
      { name: "measured", view, shown: await measured() },
      { name: "devices", view: of, shown: devices, isPictured: true },
      { name: "200 ranks", view, shown: many, isPictured: true },
      {
        name: "everybody to everybody",
        view,
        shown: matrixOf(
          ranksNamed(141),
          all.flatMap((row) => all.map((to) => [row, to, 1 + row] as const)),
        ),
      },
      { name: "nothing", view, shown: matrixOf([], []) },
      {
        name: "hostile names",
        view,
        shown: matrixOf([HOSTILE_NAME, `${HOSTILE_NAME}1`], [[0, 1, 5]], {
          beside: [{ name: HOSTILE_NAME, moves: true, bytes: 3, count: 1, seconds: 0 }],
        }),
      },
    ];
  },
});

const wide = {
  width: 1000,
  height: 600,
  theme: plainTheme,
  measure: (size: number) => (text: string) => text.length * size * 0.6,
};

describe("names beside cells", () => {
  it("stand at round ranks, the same for rows and columns, and at every one that has room", async () => {
    const view = await measuredView();
    for (const [shown, width, steps] of [
      [many, 400, [20, 50]],
      [many, 600, [10, 20]],
      [many, 1400, [5, 10]],
      [await measured(), 400, [1]],
    ] as const) {
      const { above } = draw(communication.content(shown, view), { ...wide, width });
      const texts = above.flatMap((shape) => (shape.kind === "text" && /^\d+$/.test(shape.text) ? [shape] : []));
      const ranks = (anchor: string) => texts.filter((text) => text.anchor === anchor).map(({ text }) => Number(text));
      const [rows, columns] = [ranks("end"), ranks("middle")];
      expect(steps, String(width)).toContain(columns[1] - columns[0]);
      for (const [at, rank] of columns.entries()) expect(rank).toBe(at * columns[1]);
      // The last column may have no room for its name.
      expect(rows.slice(0, columns.length)).toEqual(columns);
      expect(rows.length - columns.length).toBeLessThanOrEqual(1);
    }
  });
});

describe("a communication matrix", () => {
  it("shows the bytes of each pair, and in no cell what has no partner", async () => {
    const [view, shown] = [await measuredView(), await measured()];
    const content = communication.content(shown, view);
    // As cali-query has it: 93 messages, 190,464 bytes a pair, 1,464 bytes a rank to collectives.
    const scene = draw(content, wide);
    expect(scene.marks).toHaveLength(24);
    expect(scene.marks[0].name).toBe("rank 0 → rank 1");
    expect(pairFacts(content, 0).slice(0, 2)).toEqual([
      ["bytes", "190 kB", "4.17 %"],
      ["count", "93 messages", "4.17 %"],
    ]);
    expect(pairFacts(content, 0).find(([what]) => what === "heaviest call")?.[1]).toMatch(/MPI_Isend$/);
    expect(besideList(content)).toEqual({
      title: "In no cell",
      items: [expect.objectContaining({ name: "collectives", number: "11.7 kB" })],
    });
    expect(summary(content)[0]).toBe("whole run · 160 ms · 4.57 MB in 2,232 messages · 24 pairs of 8 × 8");
  });

  it("of messages whose sizes were not recorded is by count, and says so, unless somebody wants bytes", async () => {
    const view = await measuredView();
    const { trace } = view.dataSet;
    if (!trace) return expect.fail("no trace");
    const messages = { ...trace.messages, bytes: 0 };
    const unsized = { ...view, dataSet: { ...view.dataSet, trace: { ...trace, messages } } };
    const shown = matrixOf(["rank 0", "rank 1"], [[0, 1, 0]]);
    const byOf = (of: CommunicationView) => {
      const control = communication.controls(of).find(({ id }) => id === "by");
      return [communication.content(shown, of).by, control?.kind === "select" && [control.value, control.standard]];
    };
    expect([byOf(view), byOf(unsized)]).toEqual([
      ["bytes", ["bytes", "bytes"]],
      ["count", ["count", "count"]],
    ]);
    expect(communication.asked?.(unsized)).toMatchObject({ by: "count" });
    expect(communication.notes?.(shown, unsized)).toContain(
      "Sizes of messages were not recorded: the matrix is by count.",
    );
    const wanted = { ...unsized, state: { ...view.state, by: "bytes" as const } };
    expect(byOf(wanted)[0]).toBe("bytes");
    expect(communication.notes?.(shown, wanted)).toContain(
      "No sizes were recorded: the matrix by count, or by time, has what is known.",
    );
    // What was kept by an earlier version is what somebody had chosen, or the standard.
    expect(parse(communication.state, { by: "bytes" })).toEqual({ by: "bytes" });
  });

  it("is of the window that the views over time show, and says which; the windows of the run add up to it", async () => {
    const view = await measuredView();
    const { trace } = view.dataSet;
    const middle = ((trace?.startSeconds ?? 0) + (trace?.endSeconds ?? 0)) / 2;
    const windows = [
      { from: 0, to: middle },
      { from: middle, to: 1 },
    ];
    const halves = await Promise.all(windows.map((window) => communication.ask({ ...view, window }, quietTask, [])));
    const whole = await measured();
    expect(halves.map(({ total }) => total.count).every((count) => count > 0)).toBe(true);
    expect(halves.reduce((sum, { total }) => sum + total.bytes, 0)).toBe(whole.total.bytes);
    expect(halves.map(({ rows }) => rows.groups.length)).toEqual([8, 8]);
    const own = { ...view, window: windows[0] };
    expect(summary(communication.content(halves[0], own))[0]).toMatch(/^[\d.]+ – [\d.]+ ms · [\d.]+ ms of 160 ms · /);
    // What a restriction leaves of it.
    const restricted = { ...own, scope: { ...view.scope, window: { from: middle / 2, to: 1 } } };
    const part = await communication.ask(restricted, quietTask, []);
    expect(part.total.count).toBeLessThan(halves[0].total.count);
    expect(communication.content(part, restricted).window).toEqual({ from: middle / 2, to: middle });
  });

  it("shows the whole run by a key, in all views over time", async () => {
    const view = await measuredView();
    const moved: unknown[] = [];
    const windows = { show: (...what: unknown[]) => moved.push(what) };
    const own = { ...view, window: { from: 0, to: 0.01 }, session: { ...view.session, windows } } as never;
    const toolOf = (of: CommunicationView) =>
      communication.controls(of).find((one) => one.kind === "tool" && one.key === "0");
    expect(toolOf(own)).not.toHaveProperty("disabled");
    expect(toolOf(view)).toHaveProperty("disabled");
    expect(communication.choose(own, toolOf(own)?.id ?? "", "", undefined as never)).toBeUndefined();
    expect(moved).toEqual([[view.dataSet.id, undefined]]);
    const panels = await PanelWindow.start("communication", "Communication Matrix");
    try {
      const page = await openPage(panels);
      await sendSample(page, communication, { name: "", view: own, shown: await measured() });
      await page.page.locator(".drawing [tabindex='0']").focus();
      await page.sent();
      await page.page.keyboard.press("0");
      await vi.waitFor(async () =>
        expect(await page.sent()).toContainEqual(expect.objectContaining({ type: "control", id: toolOf(own)?.id })),
      );
    } finally {
      await panels.stop();
    }
  });

  it("leads to the line of the pair's heaviest call", async () => {
    const [view, shown] = [await measuredView(), await measured()];
    const subject = await communication.subject?.(shown, 0, view, quietTask);
    expect(subject?.link?.places.map(({ file }) => path.basename(file))).toEqual(["halo.cpp"]);
    const more = await communication.explain?.(shown, 0, view, quietTask);
    expect(details(communication.content(shown, view), 0, more)?.place).toMatch(/^halo\.cpp:\d+$/);
  });

  it("names neighbours by their numbers where they differ in these alone", () => {
    expect(commonPrefix(["rank 0", "rank 1", "rank 10"])).toBe("rank ");
    expect(commonPrefix(["host", "GPU 0"])).toBe("");
    expect(commonPrefix(["rank 0"])).toBe("");
    expect(commonPrefix(["rank 0 – rank 2", "rank 3 – rank 5"])).toBe("");
  });

  it("takes a step to what is shown apart, and back", async () => {
    const view = await measuredView();
    const state = { ...view.state, rows: { first: 0, last: 3 }, columns: { first: 4, last: 7 } };
    const shown = await communication.ask({ ...view, state }, quietTask, []);
    expect(shown.rows.groups.map(({ name }) => name)).toEqual(["rank 0", "rank 1", "rank 2", "rank 3"]);
    expect(communication.steps?.({ ...view, state }, shown)).toMatchObject([
      { title: "Back to everything" },
      { text: "rank 0 – rank 3 → rank 4 – rank 7" },
    ]);
    const panel = undefined as never;
    expect(communication.choose(view, "step", "all", panel)).toEqual({ rows: undefined, columns: undefined });
  });

  it("restricts to both ends of a cell, and of the host and a GPU to the GPU", async () => {
    const view = await measuredView();
    const matrix = await measured();
    const heard: unknown[] = [];
    const session = { ...view.session, setRestriction: (_: number, to: unknown) => heard.push(to) };
    const panel = { view: { ...view, session }, notice: (text: string) => heard.push(text) } as never;
    const cell = matrix.cells.row.findIndex((row, at) => row === 1 && matrix.cells.column[at] === 3);
    await communication.actions?.restrict(matrix, cell, panel);
    expect(heard).toEqual([{ by: "rank", members: ["1", "3"] }]);
    const gpu = { by: "device", members: ["1"] } as const;
    const groups = [
      { name: "host", first: 0, last: 0 },
      { name: "GPU 1", first: 1, last: 1, members: gpu },
    ];
    const axis = { level: "device", together: 1, groups };
    const cells = { row: Int32Array.of(0, 0), column: Int32Array.of(1, 0) };
    await communication.actions?.restrict({ ...devices, rows: axis, columns: axis, cells } as never, 0, panel);
    await communication.actions?.restrict({ ...devices, rows: axis, columns: axis, cells } as never, 1, panel);
    expect(heard.slice(1)).toEqual([gpu, expect.stringMatching(/^This is the whole recording/)]);
  });

  it("says that neighbours share a row, and asks for fewer rows where everybody sends to everybody", async () => {
    const view = await measuredView();
    const asked: (number | undefined)[] = [];
    const full = { length: MARK_LIMIT + 1 };
    const answer = (query: { mostRows?: number }) => {
      asked.push(query.mostRows);
      return Promise.resolve(query.mostRows === undefined ? { cells: { row: full } } : devices);
    };
    const session = { ...view.session, engine: { communicationMatrix: answer } } as unknown as typeof view.session;
    expect(await communication.ask({ ...view, session }, quietTask, [])).toBe(devices);
    expect(asked).toEqual([undefined, 141]);
    const together = { ...devices, rows: { ...devices.rows, together: 3 } };
    expect(communication.notes?.(together, view)).toEqual([
      "There are more than 3 rows: 3 neighbours (device) share one. Their menu shows them apart.",
    ]);
  });

  it("says what a recording lacks, and offers only what it has", async () => {
    const view = await measuredView();
    const without = { ...view.dataSet, trace: undefined };
    expect(communication.unmeasured?.(without)).toMatch(/^Neither messages nor transfers were recorded/);
    expect(communication.unmeasured?.(view.dataSet)).toBeUndefined();
    const [, of] = communication.controls(view);
    expect(of).toMatchObject({
      value: "ranks",
      choices: [{}, { disabled: expect.stringMatching(/^No transfers/) as string }],
    });
  });

  it("has bars at the rows and roofs at the columns that are highlighted", async () => {
    const content = communication.content(await measured(), await measuredView());
    const highlighted = { name: "rank 3", places: new Set([3, ROW_LIMIT + 3]), kinds: new Set<never>() };
    const [plain, marked] = [draw(content, wide), draw(content, { ...wide, highlighted })];
    const boxes = (all: typeof plain) => all.above.flatMap((shape) => (shape.kind === "box" ? [shape.box] : []));
    const more = boxes(marked).slice(boxes(plain).length);
    const cell = marked.marks.find(({ name }) => name === "rank 3 → rank 1")?.box ?? expect.fail();
    const below = marked.marks.find(({ name }) => name === "rank 1 → rank 3")?.box ?? expect.fail();
    expect(more).toHaveLength(2);
    expect([more[0].y, more[1].x].map(Math.round)).toEqual([cell.y, below.x].map(Math.round));
  });
});
