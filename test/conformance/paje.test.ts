import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { openRecordings } from "../../src/formats/registry";
import { quietTask } from "../../src/model/task";
import { recordings } from "../recordings";
import { type FactRows, factRows } from "../unit/formats/paje/factRows";

import { naiveRows } from "../unit/formats/paje/naivePaje";
import { noteConformance } from "./conformanceTable";

const shared = recordings();
const folder = path.join(shared ?? "", "data/paje");
const trace = (name: string) => path.join(folder, "traces", name);

/** A number as C's `%g` writes it, the way that the tool prints the times of containers. */
function general(value: number): string {
  if (value === 0) return "0";
  const exponent = Number(value.toExponential(5).split("e")[1]);
  if (exponent >= -4 && exponent < 6) return String(Number(value.toPrecision(6)));
  const [mantissa, power] = value.toExponential(5).split("e");
  const digits = power.slice(1).padStart(2, "0");
  return `${Number(mantissa)}e${power[0]}${digits}`;
}

/** The rows of a trace as `pj_dump` prints them. */
function dumped({ containers, states, variables, events, links }: FactRows): string[] {
  const f = (value: number) => value.toFixed(6);
  const span = ({ start, end }: { start: number; end: number }) => `${f(start)}, ${f(end)}, ${f(end - start)}`;
  return [
    ...containers.map(
      ({ parent, type, start, end, name }) =>
        `Container, ${parent}, ${type}, ${general(start)}, ${general(end)}, ${general(end - start)}, ${name}`,
    ),
    ...states.map((row) => `State, ${row.at}, ${row.type}, ${span(row)}, ${f(row.level)}, ${row.value}`),
    ...variables.map((row) => `Variable, ${row.at}, ${row.type}, ${span(row)}, ${f(row.value)}`),
    ...events.map((row) => `Event, ${row.at}, ${row.type}, ${f(row.time)}, ${row.value}`),
    ...links.map(
      (row) => `Link, ${row.at}, ${row.type}, ${span(row)}, ${row.value}, ${row.from}, ${row.to}, ${row.key}`,
    ),
  ];
}

/**
 * The text with the values of variables as the tool keeps them: in single precision. What it prints of `6660435.714286` is
 * `6660435.500000`; our own values are exact, and compared as such below.
 */
function inSinglePrecision(text: string): string {
  const ids = [...text.matchAll(/^%\s*EventDef\s+Paje(?:Set|Add|Sub)Variable\s+(\d+)/gm)].map(([, id]) => id);
  return text.replace(/^(\d+)(\s.*\s)(\S+)[ \t]*$/gm, (line, id: string, fields: string, value: string) =>
    ids.includes(id) ? `${id}${fields}${Math.fround(Number(value))}` : line,
  );
}

/** The independent reader's rows of a trace; of the large one, read once for both tests. */
function naive(name: string): FactRows {
  const known = name === "smpi-cg64.trace.gz" ? large : undefined;
  if (known) return known;
  const bytes = fs.readFileSync(trace(name));
  const rows = naiveRows((name.endsWith(".gz") ? zlib.gunzipSync(bytes) : bytes).toString());
  if (name === "smpi-cg64.trace.gz") large = rows;
  return rows;
}
let large: FactRows | undefined;

const numbersIn = (rows: readonly string[]) => rows.reduce((count, row) => count + row.split(", ").length - 1, 0);

/** Rows as text, in an order that does not depend on who found them; numbers with all their digits. */
function inOrder(rows: readonly object[]): string[] {
  return rows.map((row) => Object.values(row).join(", ")).sort();
}

/** The first row that the other list does not have. */
function firstDifference(ours: readonly string[], theirs: readonly string[]): unknown {
  const at = ours.findIndex((row, index) => row !== theirs[index]);
  return at < 0 && ours.length === theirs.length ? undefined : { ours: ours[at], theirs: theirs[at] };
}

describe.skipIf(!shared)("Paje traces against what pj_dump says of them", () => {
  const goldens = shared ? fs.readdirSync(path.join(folder, "pj_dump_golden")) : [];
  const names = goldens.filter((name) => name.endsWith(".csv") && name !== "native_paje.csv");
  it.each(names)("%s: every row, to the digits that it prints", async (name) => {
    const golden = fs
      .readFileSync(path.join(folder, "pj_dump_golden", name), "utf8")
      .trim()
      .split("\n");
    const text = fs.readFileSync(trace(name.replace(".csv", ".trace")), "utf8");
    const rows = dumped(await factRows({ text: inSinglePrecision(text) }));
    expect(golden.length).toBeGreaterThan(3);
    expect(rows.sort()).toEqual(golden.map((row) => row.trimEnd()).sort());
    noteConformance("Paje", { recordings: 1, values: numbersIn(golden), largestDifference: 0 });
  });
});

describe.skipIf(!shared)("Paje traces against an independent reader", () => {
  const names = shared ? fs.readdirSync(path.join(folder, "traces")) : [];
  it.each(names.filter((name) => /\.trace(\.gz)?$/.test(name)))("%s: every fact, exactly", async (name) => {
    const theirs = naive(name);
    const ours = await factRows(trace(name));
    for (const kind of ["containers", "states", "events", "links"] as const)
      expect(firstDifference(inOrder(ours[kind]), inOrder(theirs[kind])), kind).toBeUndefined();
    const largestDifference = compareVariables(ours, theirs);
    const values = [...theirs.containers, ...theirs.states, ...theirs.events, ...theirs.links, ...theirs.variables];
    noteConformance("Paje", {
      recordings: name.startsWith("smpi") || name.startsWith("native_paje") ? 1 : 0,
      values: values.reduce((count, row) => count + Object.keys(row).length, 0),
      largestDifference,
    });
    // Line 1936 goes back in time.
    expect(ours.warnings.filter(({ at }) => at && "line" in at && at.line === 1936)).toHaveLength(
      name === "native_paje.trace" ? 1 : 0,
    );
  });
});

/**
 * Steps of variables: a step that was recorded late stands where it says, so ends are those of the next start.
 *
 * @returns the largest relative difference of two values
 */
function compareVariables(ours: FactRows, theirs: FactRows): number {
  const steps = ({ variables }: FactRows) => {
    const rows = variables.map((row) => ({ key: `${row.at}, ${row.type}, ${row.start}`, value: row.value }));
    return rows.sort((a, b) => (a.key === b.key ? a.value - b.value : a.key < b.key ? -1 : 1));
  };
  const [own, other] = [steps(ours), steps(theirs)];
  expect(own.map(({ key }) => key)).toEqual(other.map(({ key }) => key));
  const largest = own.reduce((most, { value }, at) => {
    const theirValue = other[at].value;
    return Math.max(most, value === theirValue ? 0 : Math.abs(value - theirValue) / Math.max(1, Math.abs(theirValue)));
  }, 0);
  expect(largest).toBeLessThan(1e-15);
  return largest;
}

describe.skipIf(!shared)("what opens of a Paje trace", () => {
  const open = async (name: string) => (await openRecordings([trace(name)], {}, quietTask))[0];

  it.each([
    ["g5k.trace", { resources: 4797, links: 6314, messages: 0, lanes: 0, counters: 7812 }],
    ["ms.trace", { resources: 15, links: 17, messages: 0 }],
    ["categories.trace", { resources: 15, links: 17, messages: 0, lanes: 0 }],
  ])("%s is a machine: its links are the topology, not messages", async (name, expected) => {
    const { trace: read, topology } = await open(name);
    expect({
      resources: topology?.resources.length,
      links: topology?.links.length,
      messages: read?.links,
      lanes: read?.lanes.length,
      counters: read?.counters.length,
    }).toMatchObject(expected);
    const names = topology?.links.map(({ from, to }) =>
      [from, to].map((end) => topology.resources[end].name).join(" - "),
    );
    const rows = await factRows(trace(name));
    expect(names?.sort()).toEqual(rows.links.map(({ from, to }) => `${from} - ${to}`).sort());
  });

  it("smpi-cg64.trace.gz has a lane a rank, with every state, and all messages", async () => {
    const { trace: read, topology, locations, frames, ...dataSet } = await open("smpi-cg64.trace.gz");
    if (!read || !topology) throw new Error("no trace");
    const { states, links } = naive("smpi-cg64.trace.gz");
    expect(locations.map(({ rank }) => rank)).toEqual(Array.from({ length: 64 }, (_, rank) => rank));
    expect(read.lanes.map(({ location }) => location)).toEqual(locations.map((_, at) => at));
    expect(read.links).toBe(links.length);
    expect(topology.links).toEqual([]);
    const [seconds, kinds] = [new Map<string, number>(), new Map<string, Set<string>>()];
    const theirs = new Map<string, number>();
    const add = (sums: Map<string, number>, key: string, value: number) => sums.set(key, (sums.get(key) ?? 0) + value);
    for (const { at, value, start, end } of states) add(theirs, `${at} ${value}`, end - start);
    for (const [index, lane] of read.lanes.entries()) {
      const rows = await read.readEvents(index, 0, lane.events);
      for (let at = 0; at < rows.count; at++) {
        const name = frames.nameOf(rows.frame[at]);
        add(seconds, `${topology.resources[lane.resource].name} ${name}`, rows.endSeconds[at] - rows.startSeconds[at]);
        kinds.set(name, (kinds.get(name) ?? new Set()).add(read.categories[rows.category[at]].kind));
      }
    }
    expect([...seconds.keys()].sort()).toEqual([...theirs.keys()].sort());
    for (const [key, value] of theirs) expect(seconds.get(key), key).toBeCloseTo(value, 9);
    expect(read.events).toBe(states.length);
    for (const [name, found] of kinds) expect([...found]).toEqual([/^PMPI_/.test(name) ? "communication" : "other"]);
    expect(dataSet.notRecorded).toEqual([
      "no calling contexts in this recording",
      "no places in the source in this recording",
      "no sizes of messages in this recording",
    ]);
    expect(dataSet.warnings).toEqual([]);
    await read.close();
  });

  it("multiple_files/root.trace names itself: an error that says so", async () => {
    await expect(open("multiple_files/root.trace")).rejects.toThrow(
      /root\.trace, line 110: found that the trace reads "root\.trace" inside of itself/,
    );
  });
});

/** Colours of states by a plain look at the lines that declare them: type, name, `#rrggbb`. */
function declaredColors(text: string): string[] {
  const lines = text.split("\n");
  const fieldsOf = (event: string) => {
    const first = lines.findIndex((line) => new RegExp(`^%\\s*EventDef\\s+${event}\\s`).test(line));
    const fields = lines.slice(first + 1, first + 20);
    const count = fields.findIndex((line) => /EndEventDef/.test(line));
    return {
      id: lines[first].trim().split(/\s+/).at(-1) ?? "",
      names: fields.slice(0, count).map((line) => line.split(/\s+/)[1]),
    };
  };
  const rowsOf = (event: string) => {
    const { id, names } = fieldsOf(event);
    return lines
      .filter((line) => line.split(/\s+/)[0] === id)
      .map((line) => {
        const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain).slice(1);
        return Object.fromEntries(names.map((name, at) => [name, words[at]]));
      });
  };
  const types = new Map(rowsOf("PajeDefineStateType").map(({ Alias, Name }) => [Alias, Name]));
  return rowsOf("PajeDefineEntityValue").flatMap((row) => {
    const type = types.get(row.Type ?? row.EntityType);
    const shares = (row.Color ?? "").split(" ").map(Number);
    const whole = Math.max(...shares) > 1 ? 1 : 255;
    const parts = shares.map((share) =>
      Math.round(share * whole)
        .toString(16)
        .padStart(2, "0"),
    );
    return type === undefined || parts.length !== 3 ? [] : [`${type} ${row.Name} #${parts.join("")}`];
  });
}

describe.skipIf(!shared)("colours of states", () => {
  it.each([
    ["smpi-cg64.trace.gz", 8],
    ["native_paje.trace", 138],
    ["native_sample.trace", 158],
    ["ms.trace", 0],
  ])("%s: as its lines declare them", async (name, count) => {
    const bytes = fs.readFileSync(trace(name));
    const theirs = declaredColors((name.endsWith(".gz") ? zlib.gunzipSync(bytes) : bytes).toString());
    const [{ stateColors = new Map<string, ReadonlyMap<string, number>>(), ...dataSet }] = await openRecordings(
      [trace(name)],
      {},
      quietTask,
    );
    await dataSet.trace?.close();
    const ours = [...stateColors].flatMap(([type, colors]) =>
      Array.from(colors, ([value, color]) => `${type} ${value} #${color.toString(16).padStart(6, "0")}`),
    );
    expect(theirs).toHaveLength(count);
    expect(ours.sort()).toEqual(theirs.sort());
    noteConformance("Paje", { recordings: 0, values: count, largestDifference: 0 });
  });
});
