import { beforeEach, describe, expect, it, vi } from "vitest";
import fc from "fast-check";
import type { DataSetInfo } from "../../../src/engine/api";
import { OpenedNotice } from "../../../src/session/openedNotice";
import { casesOf } from "../randomCases";
import { dataSetInfo } from "./sampleInfo";

const window = vi.hoisted(() => ({
  notices: [] as { severity: string; text: string; buttons: string[] }[],
  ran: [] as unknown[][],
  press: undefined as string | undefined,
}));

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("./standInForVsCode");
  const show =
    (severity: string) =>
    async (text: string, ...buttons: string[]) => {
      window.notices.push({ severity, text, buttons });
      return buttons.find((button) => button === window.press);
    };
  return {
    ...standIn(heardNothing()),
    window: { showInformationMessage: show("info"), showWarningMessage: show("warning") },
    commands: { executeCommand: async (...command: unknown[]) => void window.ran.push(command) },
  };
});

beforeEach(() => {
  window.notices = [];
  window.ran = [];
  window.press = undefined;
});

const early = { message: "call stacks end early in 97 % of the samples", isUnrooted: true } as const;
const leftOut = { message: "left out: found nothing", file: "/r/bad.cali" };
const globals = [
  { name: "run.tool", values: ["sample"] },
  { name: "run.stacks", values: ["fp"] },
];
const run = (id: number, warnings: DataSetInfo["warnings"] = [early]) =>
  dataSetInfo({ id, name: `run ${id}`, files: [`/r/${id}.perf`], warnings, globals });

function opened(...openings: DataSetInfo[][]): OpenedNotice {
  const notice = new OpenedNotice();
  for (const infos of openings) notice.opened(infos);
  return notice;
}

/** Data sets by their openings. */
const PARTINGS: readonly (readonly (readonly number[])[])[] = [
  [[1, 2, 3, 4]],
  [[1], [2], [3], [4]],
  [
    [1, 2],
    [3, 4],
  ],
];

const texts = () => window.notices.map(({ text }) => text);

describe("the notice about what was opened", () => {
  it("has no warning of a recording whose page is shown, but files that were left out", () => {
    const one = run(1, [early, leftOut, { message: "cut" }]);
    opened([one]).announce([one], { isPageShown: true });
    expect(window.notices).toEqual([
      { severity: "warning", text: "bad.cali: left out: found nothing", buttons: ["Show Data Sets"] },
    ]);
    const other = run(2);
    opened([other]).announce([other], { isPageShown: true });
    expect(window.notices).toHaveLength(1);
  });

  it("has them, with the remedy, if no page is shown", async () => {
    const one = run(1);
    window.press = "Record Again";
    opened([one]).announce([one]);
    expect(window.notices).toEqual([
      { severity: "warning", text: `run 1: ${early.message}`, buttons: ["Record Again", "Show Data Sets"] },
    ]);
    await vi.waitFor(() => expect(window.ran).toEqual([["heatflow.runTracedBuild", { again: "/r/1.perf" }]]));
  });

  it("has of several runs those whose page is not shown", () => {
    const runs = [run(1), run(2)];
    opened(runs).announce(runs, { isPageShown: true });
    expect(texts()).toEqual([
      `The files belong to several runs and opened as 2 data sets: run 1, run 2. run 2: ${early.message}`,
    ]);
    expect(window.notices[0].buttons).toEqual(["Record Again", "Open as Ensemble", "Show Data Sets"]);
  });

  it("is part of another message that comes at the same time", async () => {
    const [one, other] = [run(1), run(2)];
    const show = vi.fn();
    window.press = "Show Page";
    const lead = { text: "run 1 is open.", actions: { "Show Page": show } };
    opened([one]).announce([one], { lead });
    expect(window.notices).toEqual([
      {
        severity: "warning",
        text: `run 1 is open. run 1: ${early.message}`,
        buttons: ["Show Page", "Record Again", "Show Data Sets"],
      },
    ]);
    await vi.waitFor(() => expect(show).toHaveBeenCalledOnce());
    // With the page nothing but the message is left.
    opened([other]).announce([other], { isPageShown: true, lead });
    expect(window.notices[1]).toEqual({ severity: "info", text: "run 1 is open.", buttons: ["Show Page"] });
  });

  it("is one for recordings that are opened one after the other to be compared", () => {
    const [one, other] = [run(1), run(2, [{ message: "cut" }])];
    opened([one], [other]).announce([one, other]);
    expect(texts()).toEqual([`run 1: ${early.message} run 2: cut`]);
  });

  it("says each warning once at most, whoever announces what, in whatever order", () => {
    const announcing = fc.array(
      fc.record({ ids: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1 }), isPageShown: fc.boolean() }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(announcing, fc.constantFrom(...PARTINGS), (all, openings) => {
        window.notices = [];
        const infos = new Map([1, 2, 3, 4].map((id) => [id, run(id, [{ message: `warning ${id}.` }])]));
        const of = (ids: readonly number[]) => ids.flatMap((id) => infos.get(id) ?? []);
        const notice = opened(...openings.map(of));
        // Naive twin: the first announcement that has one of an opening's data sets is the only one of that opening.
        const open = new Set(openings);
        const expected = new Set<number>();
        for (const { ids, isPageShown } of all) {
          const before = window.notices.length;
          notice.announce(of(ids), { isPageShown });
          expect(window.notices.length - before).toBeLessThanOrEqual(1);
          for (const opening of [...open].filter((one) => one.some((id) => ids.includes(id)))) {
            open.delete(opening);
            const [first] = opening.filter((id) => !(isPageShown && id === ids[0]));
            if (first !== undefined) expected.add(first);
          }
        }
        const said = [1, 2, 3, 4].filter((id) => texts().some((text) => text.includes(`warning ${id}.`)));
        expect(said).toEqual([...expected].sort());
        for (const id of said) expect(texts().filter((text) => text.includes(`warning ${id}.`))).toHaveLength(1);
      }),
      { numRuns: casesOf(200) },
    );
  });
});
