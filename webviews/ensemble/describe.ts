/** What is said of bars, flows and runs of an ensemble, in words and numbers. Pure. */
import { differenceText, significanceText } from "../../src/model/differences";
import { type DifferenceSide, type EnsembleContent, ensembleMark, NONE } from "../../src/protocol/ensemble";
import { appendAll } from "../../src/model/longLists";
import { formatPercentile, formatRatio, formatShare, formatValue } from "../../src/model/units";
import type { Aside } from "../kit/aside";
import type { Details } from "../kit/frame/model";
import type { Fact } from "../kit/stage/scene";
import { plural, visible } from "../shared/text";
import { type Guide, guideText, rangeText, valueText, shortValues } from "./guides";
import { ensembleSize } from "./placed";
import { sitesAside } from "./sites";

/** Of what differs, so many are listed each way. */
const MOST_LISTED = 12;

export function runName({ runs }: EnsembleContent, run: number): string {
  return run === NONE ? "" : visible(runs.name[run]);
}

/** How many runs numbers are of. */
export function stayingRuns({ runs: { stays } }: EnsembleContent): number {
  const known = staying.get(stays) ?? stays.reduce((sum, one) => sum + one, 0);
  staying.set(stays, known);
  return known;
}

/** Each bar says it. */
const staying = new WeakMap<EnsembleContent["runs"]["stays"], number>();

/** The target's value of what gradients show; NaN where it has none. */
export function targetValue({ beside, value }: EnsembleContent, bar: number): number {
  return beside.target?.[value][bar] ?? NaN;
}

/** The difference of a bar in words: `+101 ms · 10.6×`. */
export function barDifference({ beside, unit }: EnsembleContent, bar: number): string {
  const { difference } = beside;
  if (!difference) return "";
  const [before, after] = [difference.before[bar], difference.after[bar]].map((value) =>
    Number.isNaN(value) ? null : value,
  );
  return before === null && after === null ? "in neither" : differenceText(before, after, unit);
}

/** `slower in 5 of 5 runs, p = 0.008`; "": nothing is said of it. */
export function barSignificance({ beside: { difference } }: EnsembleContent, bar: number): string {
  if (!difference || Number.isNaN(difference.p[bar])) return "";
  return significanceText(difference.slowerIn[bar], difference.candidate.runs.length, difference.p[bar]);
}

export function barFacts(content: EnsembleContent, bar: number): Fact[] {
  const { bars, beside, unit } = content;
  if (bars.runs[bar] === 0) return [["runs", "in none of these"]];
  const facts: Fact[] = [];
  const { target, difference } = beside;
  if (target) appendAll(facts, targetFacts(content, bar));
  if (difference) {
    const side = ({ name, runs }: DifferenceSide, values: Float64Array, having: Int32Array): Fact => {
      const of = runs.length === 1 ? "not in this run" : `in none of ${runs.length} runs`;
      const some = having[bar] < runs.length ? `in ${having[bar]} of ${plural(runs.length, "run")}` : "";
      return Number.isNaN(values[bar]) ? [visible(name), of] : [visible(name), formatValue(values[bar], unit), some];
    };
    facts.push(side(difference.baseline, difference.before, difference.beforeRuns));
    facts.push(side(difference.candidate, difference.after, difference.afterRuns));
    facts.push(["difference", barDifference(content, bar)]);
    const said = barSignificance(content, bar);
    if (said !== "") facts.push(["significance", said]);
  }
  appendAll(facts, spreadFacts(content, bar));
  return facts;
}

/** By bar: what stays while another run is set beside all, many times a second. */
const spreads = new WeakMap<EnsembleContent["bars"], Map<number, readonly Fact[]>>();

function spreadFacts(content: EnsembleContent, bar: number): readonly Fact[] {
  const { bars, unit, value } = content;
  const ofBars = spreads.get(bars) ?? new Map<number, readonly Fact[]>();
  spreads.set(bars, ofBars);
  const known = ofBars.get(bar);
  if (known) return known;
  const facts: Fact[] = [
    [`largest ${value}`, formatValue(bars.to[bar], unit), runName(content, bars.mostRun[bar])],
    ["median", formatValue(bars.median[bar], unit)],
    ["least", formatValue(bars.least[bar], unit), runName(content, bars.leastRun[bar])],
    ["largest exclusive", formatValue(bars.mostExclusive[bar], unit)],
    ["runs", `${bars.runs[bar]} of ${stayingRuns(content)}`],
  ];
  ofBars.set(bar, facts);
  return facts;
}

function targetFacts(content: EnsembleContent, bar: number): Fact[] {
  const { beside, unit, bars } = content;
  const { target } = beside;
  if (!target) return [];
  const own = targetValue(content, bar);
  const name = runName(content, target.run);
  if (Number.isNaN(own)) return [[name, "not in this run"]];
  const median = bars.median[bar];
  const times = median > 0 ? `${formatRatio(own / median)} median` : "";
  return [
    [name, formatValue(own, unit), times],
    ["its place", formatPercentile(target.percentile[bar])],
  ];
}

export function flowName({ bars, edges }: EnsembleContent, flow: number): string {
  return `${visible(bars.name[edges.source[flow]])} → ${visible(bars.name[edges.target[flow]])}`;
}

export function flowFacts({ edges, unit, beside, runs }: EnsembleContent, flow: number): Fact[] {
  const most = edges.most[flow];
  const { target } = beside;
  const own: Fact[] = target
    ? [
        [
          visible(runs.name[target.run]),
          Number.isNaN(target.edges[flow]) ? "none" : formatValue(target.edges[flow], unit),
        ],
      ]
    : [];
  return [...own, ["at most", formatValue(most, unit)]];
}

export function runFacts({ runs, unit, parameter }: EnsembleContent, run: number): Fact[] {
  const total = runs.total[run];
  const value = runs.value[run];
  return [
    ["total", Number.isNaN(total) ? "it lacks this metric" : formatValue(total, unit)],
    ...(value === NONE ? [] : [[visible(parameter.name), visible(parameter.values[value])] as const]),
    ...(runs.stays[run] === 0 ? [["left out", "by the restriction"] as const] : []),
  ];
}

export function guideFacts(content: EnsembleContent, guide: Guide): Fact[] {
  return [
    [content.value, rangeText(content, guide)],
    ["runs", String(guide.runs)],
  ];
}

export function guideName(content: EnsembleContent, guide: Guide): string {
  const what = guideText(content, guide, false);
  const of = visible(content.bars.name[guide.bar]);
  return `${what === "" ? plural(guide.runs, "run") : what} of ${of}`;
}

export function details(content: EnsembleContent, mark: number): Details | undefined {
  const of = ensembleMark(ensembleSize(content), mark);
  if (of?.kind !== "bar") return undefined;
  const { bars, unit, beside, runs } = content;
  const { bar } = of;
  const own = targetValue(content, bar);
  const total = beside.target ? runs.total[beside.target.run] : NaN;
  const target: Details["numbers"] = beside.target
    ? [Number.isNaN(own) ? ["target", "not in this run"] : ["target", formatValue(own, unit), formatShare(own / total)]]
    : [];
  const significance = barSignificance(content, bar);
  const difference: Details["numbers"] = beside.difference
    ? [
        ["difference", barDifference(content, bar)],
        ...(significance === "" ? [] : [["significance", significance] as const]),
      ]
    : [];
  return {
    name: visible(bars.name[bar]),
    numbers: [
      ...target,
      ...difference,
      ["median", formatValue(bars.median[bar], unit)],
      ["largest", formatValue(bars.to[bar], unit), runName(content, bars.mostRun[bar])],
      ["runs", `${bars.runs[bar]} of ${stayingRuns(content)}`],
    ],
    actions: [],
  };
}

/** `18 runs · 1 – 27 ranks · 5 bars · target 608 ms, median 201 ms`, then less. */
export function summary(content: EnsembleContent): string[] {
  const { runs, bars, parameter, unit, beside } = content;
  const staying = stayingRuns(content);
  const all = runs.name.length;
  const count = staying === all ? plural(all, "run") : `${staying} of ${plural(all, "run")}`;
  const values = shortValues(parameter);
  const range =
    values.length > 1 ? ` · ${visible(valueText(parameter.name, `${values[0]} – ${values[values.length - 1]}`))}` : "";
  const drawn = ` · ${plural(bars.name.length, "bar")}`;
  const totals = [...runs.total]
    .filter((total, run) => runs.stays[run] === 1 && !Number.isNaN(total))
    .sort((a, b) => a - b);
  const middle = totals.length >> 1;
  const median = totals.length % 2 === 1 ? totals[middle] : (totals[middle - 1] + totals[middle]) / 2;
  const of = (run: number) => formatValue(runs.total[run], unit);
  const { target, difference } = beside;
  const said = target
    ? ` · target ${of(target.run)}`
    : difference
      ? ` · ${differenceText(difference.baseline.total, difference.candidate.total, unit)}`
      : beside.problem === undefined
        ? ""
        : ` · no difference: ${visible(beside.problem)}`;
  const middleText = totals.length > 0 ? `${said === "" ? " · " : ", "}median ${formatValue(median, unit)}` : "";
  return [count + range + drawn + said + middleText, count + drawn + said + middleText, count + drawn + said, count];
}

/** What became slower and faster, those that differ most first; of several runs call sites, where these are shown. */
export function aside(content: EnsembleContent): Aside | undefined {
  const { difference } = content.beside;
  if (!difference) return sitesAside(content);
  const order = [...difference.difference.keys()].filter((bar) => difference.difference[bar] !== 0);
  order.sort((a, b) => Math.abs(difference.difference[b]) - Math.abs(difference.difference[a]) || a - b);
  const listed = (isIn: (bar: number) => boolean, word: string) =>
    order
      .filter(isIn)
      .slice(0, MOST_LISTED)
      .map((bar) => ({
        name: visible(content.bars.name[bar]),
        number: barDifference(content, bar),
        mark: bar,
        ...(barSignificance(content, bar) === ""
          ? { note: word }
          : { note: barSignificance(content, bar), isWhole: true }),
      }));
  return {
    title: `${visible(difference.candidate.name)} against ${visible(difference.baseline.name)}`,
    items: [
      ...listed((bar) => difference.difference[bar] > 0, "slower"),
      ...listed((bar) => difference.difference[bar] < 0, "faster"),
    ],
  };
}
