/** First pictures of recordings of programs that nobody made for it, against what each has to reach (semantics 2, rule 7). */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { graphArguments, graphJson } from "../../src/cli/graphCommand";
import { localEngine } from "../../src/engine/localEngine";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";

const shared = recordings();
const cases = path.join(shared ?? "", "first/cases");

/** What a case has to reach, besides at most so many bars, flows, levels, and hidden. */
interface Expected {
  readonly metric: string;
  readonly total: number;
  readonly bars: number;
  readonly drawn: number;
  readonly levels: number;
  readonly hidden: number;
  readonly visible: number;
  readonly effective: number;
  readonly heaviest: readonly (readonly [name: string, share: number])[];
}

interface FirstJson {
  readonly metric: string;
  readonly total: number;
  readonly hidden: number;
  readonly filtered: { readonly exclusive: number };
  readonly nodes: readonly {
    readonly id: string;
    readonly group: string;
    readonly level: number;
    readonly inclusive: number;
    readonly exclusive: number;
    readonly hidden: number;
    readonly holds: readonly string[];
    readonly inside: readonly (readonly [string, number])[];
  }[];
  readonly edges: readonly { readonly source: string; readonly target: string; readonly inclusive: number }[];
  readonly first: {
    readonly filter: number;
    readonly opened: readonly string[];
    readonly alone: readonly string[];
    readonly names: readonly string[];
    readonly drawn: readonly (readonly [string, string])[];
    readonly why: string;
  };
}

async function printed(file: string): Promise<string> {
  const answer = await graphArguments([file, "--first", "--json"], cases).run(localEngine(grammars));
  return graphJson(answer);
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

const expected =
  shared && fs.existsSync(path.join(cases, "expected.json"))
    ? (JSON.parse(fs.readFileSync(path.join(cases, "expected.json"), "utf8")) as Record<string, Expected>)
    : {};

describe.runIf(Object.keys(expected).length > 0)("first pictures of programs as they come", () => {
  it.each(Object.entries(expected))("%s is small, hides little, and has the heaviest by name", async (file, wanted) => {
    const text = await printed(path.join(cases, file));
    const { metric, total, nodes, edges, filtered, hidden, first } = JSON.parse(text) as FirstJson;
    expect({ metric, total: Number(total.toPrecision(9)) }).toEqual({
      metric: wanted.metric,
      total: Number(wanted.total.toPrecision(9)),
    });
    expect(nodes.length).toBeLessThanOrEqual(wanted.bars);
    expect(first.drawn.length).toBeLessThanOrEqual(wanted.drawn);
    expect(Math.max(...nodes.map(({ level }) => level + 1))).toBeLessThanOrEqual(wanted.levels);
    expect(filtered.exclusive / total).toBeLessThanOrEqual(wanted.hidden);

    // What adds up (semantics 2, rule 4).
    const exact = 1e-9 * total;
    for (const bar of nodes) {
      const flows = sum(edges.filter(({ source }) => source === bar.id).map(({ inclusive }) => inclusive));
      expect(Math.abs(bar.inclusive - bar.exclusive - bar.hidden - flows), bar.id).toBeLessThanOrEqual(exact);
    }
    const all = hidden + sum(nodes.map((bar) => bar.exclusive + bar.hidden));
    expect(Math.abs(all - total)).toBeLessThanOrEqual(exact);

    // Names are those of all bars, the five hottest first.
    expect([...first.names].sort()).toEqual(nodes.map(({ id }) => id).sort());
    const byId = new Map(nodes.map((bar) => [bar.id, bar]));
    const exclusives = first.names.map((id) => byId.get(id)?.exclusive ?? NaN);
    expect(sum(exclusives.slice(0, 24)) / total).toBeGreaterThanOrEqual(wanted.visible);
    const hottest = [...exclusives].sort((a, b) => b - a).slice(0, 5);
    expect(exclusives.slice(0, 5)).toEqual(hottest);

    const shares = nodes.map((bar) => bar.exclusive / total).filter((share) => share > 0);
    const entropy = -sum(shares.map((share) => share * Math.log(share)));
    expect(Math.exp(entropy)).toBeGreaterThanOrEqual(wanted.effective);

    for (const [name, share] of wanted.heaviest) {
      const asBar = sum(nodes.filter(({ group }) => group === name).map(({ exclusive }) => exclusive));
      const inside = nodes.flatMap((bar) => bar.inside.filter(([own]) => own === name).map(([, value]) => value));
      expect(Math.max(asBar, sum(inside)) / total, name).toBeGreaterThanOrEqual(share - 0.02);
    }
  });

  it("are the same bytes twice", async () => {
    const file = path.join(cases, "omp-fp.perf.txt.gz");
    expect(await printed(file)).toBe(await printed(file));
  });

  it("are there", () => expect(Object.keys(expected).length).toBeGreaterThanOrEqual(7));
});
