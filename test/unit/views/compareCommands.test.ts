import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Engine } from "../../../src/engine/api";
import { localEngine } from "../../../src/engine/localEngine";
import type { RunComparison, Session, SessionDataSet } from "../../../src/session/session";
import { registerCompareCommands } from "../../../src/views/compareCommands";
import { grammars } from "../engine/miniheat";
import { CaliWriter, regions, time } from "../formats/caliper/caliWriter";
import { dataSetInfo } from "../session/sampleInfo";

type Item = { readonly label: string; readonly description?: string };
const heard = vi.hoisted(() => ({
  commands: new Map<string, (argument?: unknown) => Promise<void>>(),
  /** Labels of each quick pick, and what is picked of the next ones; what is left out is Escape. */
  offered: [] as string[][],
  /** Title of the last quick pick, and what it says beside each label. */
  said: [] as (string | undefined)[],
  picks: [] as string[],
  messages: [] as string[],
  /** What "Open Performance Data…" does. */
  open: () => undefined as unknown,
}));

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../session/standInForVsCode");
  const known = standIn(heardNothing());
  const registerCommand = (name: string, run: () => Promise<void>) => heard.commands.set(name, run);
  const showQuickPick = (items: readonly Item[], options?: { title?: string }) => {
    heard.offered.push(items.map(({ label }) => label));
    heard.said = [options?.title, ...items.map(({ description }) => description)];
    const pick = heard.picks.shift();
    return Promise.resolve(items.find(({ label }) => label === pick));
  };
  const showInformationMessage = (text: string) => heard.messages.push(text);
  return {
    ...known,
    commands: { registerCommand, executeCommand: () => Promise.resolve(heard.open()) },
    window: { showQuickPick, showInformationMessage },
  };
});

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-pairs-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));
beforeEach(() => {
  heard.offered.length = heard.picks.length = heard.messages.length = 0;
});

const run = (command: string, argument?: unknown) => heard.commands.get(`heatflow.${command}`)?.(argument);

/** A session that shows the last of its recordings. */
function sessionOf(engine: Partial<Engine>, dataSets: readonly SessionDataSet[], comparison?: RunComparison) {
  const session = {
    engine,
    dataSets,
    comparison,
    current: dataSets.at(-1),
    renamed: [] as [string, string][],
    scope: (dataSet = 0) => ({ dataSet, metric: 0, over: "mean" }) as const,
    compare: (given: RunComparison | undefined) => (session.comparison = given),
    setCurrent: (id: number) => (session.current = dataSets.find((one) => one.id === id)),
    setRenamed: (pairs: [string, string][]) => (session.renamed = pairs),
  };
  const shown: (number | undefined)[] = [];
  registerCompareCommands(session as unknown as Session, (dataSet) => shown.push(dataSet));
  return { session, shown };
}

describe("renamed functions are paired by hand", () => {
  async function compared() {
    const engine = localEngine(grammars);
    const open = async (name: string, seconds: Readonly<Record<string, number>>) => {
      const out = new CaliWriter();
      for (const [region, own] of Object.entries(seconds)) out.snapshot([regions(region)], [[time, own]]);
      const file = path.join(folder, name);
      fs.writeFileSync(file, out.text());
      return (await engine.open({ paths: [file] }))[0] as SessionDataSet;
    };
    const before = await open("before.cali", { main: 1, advance: 4, io: 1 });
    const after = await open("after.cali", { main: 1, stepForward: 5, mesh: 1 });
    const { session } = sessionOf(engine, [before, after], { baseline: before.id, candidate: after.id });
    const rows = async () => {
      const [baseline, candidate] = [session.scope(before.id), session.scope(after.id)];
      const sides = { baseline: [baseline], candidate: [candidate], renamed: session.renamed };
      const { rows } = await engine.comparison({ ...sides, value: "exclusive", limit: 10, linked: 0 });
      return rows.map(({ baseline, candidate }) => [baseline, candidate]);
    };
    return { session, rows };
  }

  it("of what only one side has, and are one row from then on, until the pair is ended", async () => {
    const { session, rows } = await compared();
    heard.picks.push("advance", "stepForward");
    await run("pairFunctions");
    expect(heard.offered).toEqual([
      ["advance", "io"],
      ["stepForward", "mesh"],
    ]);
    expect(session.renamed).toEqual([["advance", "stepForward"]]);
    expect(await rows()).toContainEqual([4, 5]);
    heard.offered.length = 0;
    heard.picks.push("$(close) advance = stepForward");
    await run("pairFunctions");
    // What is paired is not offered again.
    expect(heard.offered).toEqual([["io", "$(close) advance = stepForward"]]);
    expect(session.renamed).toEqual([]);
    expect(await rows()).toEqual(
      expect.arrayContaining([
        [null, 5],
        [4, null],
      ]),
    );
  });

  it("by two choices: Escape at either one pairs nothing", async () => {
    const { session } = await compared();
    await run("pairFunctions");
    heard.picks.push("advance");
    await run("pairFunctions");
    expect([session.renamed, heard.offered.length]).toEqual([[], 3]);
  });

  it("only while something is compared", async () => {
    sessionOf({}, [dataSetInfo() as SessionDataSet]);
    await run("pairFunctions");
    expect([heard.offered, heard.messages]).toEqual([
      [],
      ["Compare two recordings before you pair renamed functions."],
    ]);
  });
});

describe("comparing runs", () => {
  const info = (id: number, file: string) =>
    dataSetInfo({ id, name: path.basename(file), files: [file] }) as SessionDataSet;
  const three = [info(1, "/old/a.cali"), info(2, "/new/b.cali"), info(3, "/new/c.cali")];

  it("asks for the baseline, runs of the same folder first, and shows both", async () => {
    const { session, shown } = sessionOf({ isSameProgram: () => Promise.resolve(true) }, three);
    heard.picks.push("a.cali");
    await run("compareRuns");
    expect(heard.offered).toEqual([["b.cali", "a.cali", "$(folder-opened) Open another recording…"]]);
    expect([session.comparison, session.current?.id, shown]).toEqual([{ baseline: 1, candidate: 3 }, 3, [3]]);
    await run("endComparison");
    expect(session.comparison).toBeUndefined();
  });

  it("offers only recordings of the same program", async () => {
    const isSameProgram = ({ other }: { readonly other: number }) => Promise.resolve(other !== 2);
    const { session } = sessionOf({ isSameProgram }, three);
    heard.picks.push("a.cali");
    await run("compareRuns");
    expect(heard.offered).toEqual([["a.cali", "$(folder-opened) Open another recording…"]]);
    expect(session.comparison).toEqual({ baseline: 1, candidate: 3 });
  });

  it("with one that is opened for it has that as the candidate, in front; and can be swapped", async () => {
    const open = [...three];
    const { session, shown } = sessionOf({ isSameProgram: () => Promise.resolve(true) }, open);
    heard.open = () => open.push(info(4, "/new/d.cali"));
    heard.picks.push("$(folder-opened) Open another recording…");
    await run("compareRuns");
    expect([session.comparison, session.current?.id, shown]).toEqual([{ baseline: 3, candidate: 4 }, 4, [4]]);
    // Which of the two is the baseline decides every sign: each entry says it, and the title does not say otherwise.
    const baseline = expect.stringMatching(/^baseline · /) as string;
    expect(heard.said).toEqual([
      "Compare c.cali with…",
      baseline,
      baseline,
      "as the candidate: c.cali is its baseline",
    ]);
    await run("swapComparison");
    expect([session.comparison, session.current?.id]).toEqual([{ baseline: 4, candidate: 3 }, 3]);
  });

  it("asks nothing where the baseline is given, and is about the recording of its argument", async () => {
    const { session, shown } = sessionOf({ isSameProgram: () => Promise.resolve(true) }, three);
    await run("compareRuns", { dataSet: 2, baseline: 1 });
    expect([heard.offered, session.comparison, shown]).toEqual([[], { baseline: 1, candidate: 2 }, [2]]);
  });

  it("changes nothing after Escape, or of a recording that is not open", async () => {
    const { session, shown } = sessionOf({ isSameProgram: () => Promise.resolve(true) }, three);
    await run("compareRuns");
    await run("compareRuns", { dataSet: 9 });
    expect([session.comparison, shown, heard.offered.length]).toEqual([undefined, [], 1]);
  });
});
