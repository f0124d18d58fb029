import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { localEngine } from "../../../../src/engine/localEngine";
import { headOf } from "../../formats/paje/writer";
import { casesOf } from "../../randomCases";
import { grammars } from "../miniheat";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-capacities-"));
const engine = localEngine(grammars);
afterAll(async () => {
  await engine.dispose();
  fs.rmSync(folder, { recursive: true });
});
let written = 0;

interface Grid {
  readonly hostType: string;
  readonly linkType: string;
  readonly capacity: string;
  /** Per host, with a link each: what there is, the used part (absent: not recorded), and the second in which both end. */
  readonly hosts: readonly { readonly there: number; readonly used?: number | undefined; readonly end: number }[];
}

/** Capacities that are set once, at the first second. */
async function openGrid({ hostType, linkType, capacity, hosts }: Grid) {
  const lines = [headOf(), "0 S 0 Site", `0 H S ${hostType}`, `0 L S ${linkType}`];
  for (const [alias, type, name] of [
    ["P", "H", capacity],
    ["PU", "H", `${capacity}_used`],
    ["B", "L", "bandwidth"],
    ["BU", "L", "bandwidth_used"],
    ["Y", "L", "latency"],
  ])
    lines.push(`1 ${alias} ${type} ${name} "1 0 0"`);
  lines.push("6 0 s S 0 site");
  hosts.forEach((_, at) => lines.push(`6 0 h${at} H s host-${at}`, `6 0 l${at} L s link-${at}`));
  hosts.forEach(({ there, used }, at) => {
    lines.push(`8 0 P h${at} ${there}`, `8 0 B l${at} ${there}`, `8 0 Y l${at} 1`);
    if (used !== undefined) lines.push(`8 0 PU h${at} ${used}`, `8 0 BU l${at} ${used}`);
  });
  const ends = hosts.map(({ end }, at) => ({ end, at })).sort((a, b) => a.end - b.end);
  for (const { end, at } of ends) lines.push(`7 ${end} H h${at}`, `7 ${end} L l${at}`);
  lines.push(`7 ${ends.at(-1)?.end ?? 0} S s`);
  const file = path.join(folder, `${written++}.trace`);
  fs.writeFileSync(file, `${lines.join("\n")}\n`);
  const [info] = await engine.open({ paths: [file] });
  return { dataSet: info.id };
}

const areasOf = (scope: { dataSet: number }, quantity: string) =>
  engine.resourceAreas({ scope, quantity, cut: { depth: 9 } });

describe("capacities of hosts and links", () => {
  it("end with their resources, in the treemap and in the hardware alike", async () => {
    const host = fc.record({
      there: fc.integer({ min: 1, max: 64 }),
      used: fc.option(fc.integer({ min: 0, max: 64 }), { nil: undefined }),
      end: fc.integer({ min: 1, max: 16 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(host, { minLength: 1, maxLength: 5 }), async (hosts) => {
        const scope = await openGrid({ hostType: "HOST", linkType: "LINK", capacity: "power", hosts });
        const end = Math.max(...hosts.map((one) => one.end));
        const areas = await areasOf(scope, "variable bandwidth");
        const machine = await engine.hardware({ scope });
        expect([areas.startSeconds, areas.endSeconds]).toEqual([0, end]);
        expect([machine.startSeconds, machine.endSeconds]).toEqual([0, end]);
        hosts.forEach(({ there, used, end: own }, at) => {
          const node = areas.nodes.findIndex(({ name }) => name === `link-${at}`);
          expect(areas.values[node]).toBe(there * own);
          const link = machine.elements.find(({ name }) => name === `link-${at}`);
          expect(link?.capacity).toBe(there);
          expect(link?.bytes).toEqual(used === undefined ? NaN : used * own);
          const part = machine.elements.find(({ name }) => name === `host-${at}`);
          expect(part?.share).toEqual(used === undefined ? NaN : used / there);
        });
      }),
      { numRuns: casesOf(40) },
    );
  });

  it.each([
    { hostType: "HOST", linkType: "LINK", capacity: "power" },
    { hostType: "Host", linkType: "link", capacity: "speed" },
  ])("of $hostType and $linkType are in flops and bytes, as SimGrid's manual says", async (types) => {
    const scope = await openGrid({ ...types, hosts: [{ there: 8, used: 2, end: 4 }] });
    const { variables, quantities } = await areasOf(scope, "variable bandwidth");
    const flops = [types.capacity, `${types.capacity}_used`].map((name) => ({ name, unit: "flop/s" }));
    const bytes = ["bandwidth", "bandwidth_used"].map((name) => ({ name, unit: "B/s" }));
    expect(variables).toEqual([...bytes, { name: "latency", unit: "" }, ...flops]);
    // The integral of a rate is an amount.
    expect(quantities.map(({ name, unit }) => `${name} ${unit}`)).toEqual([
      "bandwidth B",
      "bandwidth_used B",
      "latency × s 1",
      `${types.capacity} flop`,
      `${types.capacity}_used flop`,
    ]);
  });

  it.each([
    { hostType: "Rank", linkType: "Channel", capacity: "power" },
    { hostType: "LINK", linkType: "HOST", capacity: "speed" },
  ])("of other resources ($hostType, $linkType) have no unit", async (types) => {
    const scope = await openGrid({ ...types, hosts: [{ there: 8, used: 2, end: 4 }] });
    const { variables } = await areasOf(scope, "variable bandwidth");
    expect(variables.map(({ unit }) => unit)).toEqual(variables.map(() => ""));
  });
});
