import fs from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import { miniheat, recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";

const shared = recordings();
const data = (name: string) => path.join(shared ?? "", "data", name);

interface Counts {
  contexts: number;
  /** Contexts that lead to one line, to several, to the function that makes many equal calls, to none. */
  one: number;
  several: number;
  none: number;
  /** Lines that some context leads to. */
  lines: number;
  /** Of those without: whose file is not here, or which have no name. */
  notHere: number;
}

const table: Record<string, Counts> = {};
afterAll(() => {
  if (!process.env.HEATFLOW_CONFORMANCE_TABLE) console.table(table);
});

async function countsOf(what: string, recording: string, folders: string[]): Promise<Counts> {
  const engine = localEngine(grammars);
  await engine.configure({ folders, sourceMap: {} });
  const [info] = await engine.open({ paths: [recording] });
  const { tree } = engine.dataSet(info.id);
  const lines = new Set<string>();
  const counts: Counts = { contexts: tree.size, one: 0, several: 0, none: 0, lines: 0, notHere: 0 };
  for (let context = 0; context < tree.size; context++) {
    const link = await engine.link({ dataSet: info.id, target: { kind: "context", context } }, quietTask);
    for (const { file, line } of link.places) {
      const text = fs.readFileSync(file, "utf8").split("\n");
      expect(line, `${file}:${line}`).toBeLessThanOrEqual(text.length);
      lines.add(`${file}:${line}`);
    }
    counts[link.places.length === 0 ? "none" : link.places.length === 1 ? "one" : "several"]++;
    expect(link.reason, `context ${context} of ${what}`).not.toBe("");
    if (link.places.length === 0 && (link.missingFile !== undefined || /no name|from [^ ]+, not/.test(link.reason)))
      counts.notHere++;
  }
  counts.lines = lines.size;
  table[what] = counts;
  return counts;
}

/**
 * At least so many contexts lead to one line, at most so many to several. Looked at by hand: every line of the sample
 * program's regions (sourceLinks.test.ts); of the databases with copies of their sources `main`, its loops and its calls.
 */
const own: [string, string, { one: number; several: number }][] = [
  ["miniheat, 8 ranks", "profiles/profile-8ranks.cali", { one: 21, several: 1 }],
  ["miniheat, samples", "profiles/samples-1rank.cali", { one: 34, several: 1 }],
];

describe("contexts of the sample program", () => {
  it.each(own)("%s", async (what, recording, bounds) => {
    const counts = await countsOf(what, path.join(miniheat, recording), [path.join(miniheat, "src")]);
    expect(counts.one).toBeGreaterThanOrEqual(bounds.one);
    expect(counts.several).toBeLessThanOrEqual(bounds.several);
  });
});

const databases: [string, { one: number; lines: number }][] = [
  ["hpctoolkit-v4/viewer-inline.meta.db", { one: 16, lines: 6 }],
  ["hpctoolkit-v4/viewer-loop-fork-cycles", { one: 21, lines: 6 }],
  ["hpctoolkit-v4/pipit-ping-pong", { one: 8, lines: 5 }],
  ["hpctoolkit-v2/hpctoolkit-allgather-database", { one: 10, lines: 4 }],
  ["hpctoolkit-v2/hpctoolkit-cpi-database", { one: 3, lines: 2 }],
  ["hpctoolkit-v2/viewer-xml/inline.xml.db", { one: 19, lines: 6 }],
];

describe.runIf(shared !== undefined)("contexts of databases that hold copies of their sources", () => {
  it.each(databases)("%s", async (name, bounds) => {
    const counts = await countsOf(name, data(name), []);
    expect(counts.one).toBeGreaterThanOrEqual(bounds.one);
    expect(counts.lines).toBeGreaterThanOrEqual(bounds.lines);
    // The copies are stand-ins without any function in them: only recorded lines lead there, and no name may.
    expect(counts.several).toBe(0);
  });
});
