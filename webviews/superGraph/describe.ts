/** What is said about bars, entries, flows and the whole graph, in words and numbers: tooltip, screen reader, copy. Pure. */
import { differenceText as changeOf } from "../../src/model/differences";
import { appendAll } from "../../src/model/longLists";
import { formatRatio, formatShare, formatValue, noRankText } from "../../src/model/units";
import type { Explained } from "../../src/protocol/panel";
import type { Details, Lead } from "../kit/frame/model";
import { NONE } from "../../src/protocol/superGraph";
import type { Fact } from "../kit/stage/scene";
import { cutName, plural, shortened, visible } from "../shared/text";
import {
  barGroup,
  barLabel,
  barName,
  barsOfOne,
  bothOf,
  comparison,
  differenceText,
  entriesOf,
  entryName,
  entryPlace,
  type Graph,
  halfOf,
  heldBy,
  isLaidOut,
  type LaidOutGraph,
  markOf,
  noRankOf,
  shownHistograms,
  totalOf,
  onTheWay,
} from "./graph";

/** Callers, callees and entries that a tooltip names. */
const SHORT_LIST = 2;
/** Folded callers that a tooltip names, and the letters of each. */
const MOST_HELD = 3;
const HELD_LETTERS = 40;

/** A value with its share of the total. @param bar of whose half it is */
function fact(graph: Graph, what: string, value: number, bar: number): Fact {
  return [what, formatValue(value, graph.unit), formatShare(value / totalOf(graph, bar))];
}

/** A bar as a tooltip says it: its numbers, its heaviest entries, callers ← and callees →. */
export function barFacts(graph: LaidOutGraph, bar: number): Fact[] {
  const { hidden } = graph.bars;
  const facts = graph.pair?.merged ? bothFacts(graph, bar) : [...ownFacts(graph, bar), ...bothFacts(graph, bar)];
  if (hidden[bar] !== 0) facts.push(fact(graph, "hidden by the filter", hidden[bar], bar));
  const visit = graph.bars.visit[bar];
  if (visit > 1) facts.push([`(${visit})`, "the group again, called from others that it called"]);
  if (graph.bars.label[bar] !== NONE) facts.push(["path", barGroup(graph, bar)]);
  appendAll(facts, heldFacts(graph, bar, MOST_HELD));
  for (const { name, exclusive } of onTheWay(graph, bar))
    facts.push(fact(graph, `on the way: ${name}`, exclusive, bar));
  const lists = [callers(graph, bar), callees(graph, bar), entriesInShort(graph, bar)];
  return [...facts, ...lists.flatMap((list) => list.slice(0, SHORT_LIST)), ...histogramFacts(graph, bar)];
}

/** The callers that are folded into a bar, from the top. @param most so many are named */
function heldFacts(graph: Graph, bar: number, most: number): Fact[] {
  const { names, count } = heldBy(graph, bar);
  const named = names
    .slice(0, count > most ? most - 1 : most)
    .map((name, at): Fact => [at === 0 ? "with" : "", cutLetters(name, HELD_LETTERS)]);
  const more = count - named.length;
  return more > 0 ? [...named, ["", `and ${more.toLocaleString("en")} more`]] : named;
}

function ownFacts(graph: Graph, bar: number): Fact[] {
  const { inclusive, exclusive, noRank, exclusiveNoRank } = graph.bars;
  const known = (what: string, value: number, unranked: number): Fact =>
    unranked > 0 ? [what, noRankText(unranked, graph.unit)] : fact(graph, what, value, bar);
  return [known("inclusive", inclusive[bar], noRank[bar]), known("exclusive", exclusive[bar], exclusiveNoRank[bar])];
}

function callers(graph: LaidOutGraph, bar: number): Fact[] {
  return flowFacts(graph, bar, "target", (name) => `← ${name}`);
}

function callees(graph: LaidOutGraph, bar: number): Fact[] {
  return flowFacts(graph, bar, "source", (name) => `→ ${name}`);
}

function flowFacts(
  graph: LaidOutGraph,
  bar: number,
  end: "source" | "target",
  named: (name: string) => string,
): Fact[] {
  const { flows } = graph.layout;
  const other = end === "source" ? flows.target : flows.source;
  return [...flows.inclusive.keys()]
    .filter((flow) => flows[end][flow] === bar)
    .sort((a, b) => flows.inclusive[b] - flows.inclusive[a])
    .map((flow) => fact(graph, named(barLabel(graph, other[flow])), flows.inclusive[flow], bar));
}

function entriesInShort(graph: Graph, bar: number): Fact[] {
  const { first, count } = entriesOf(graph, bar);
  return Array.from({ length: count }, (_, at): Fact => {
    const what = `entry ${entryName(graph, first + at)}`;
    if (graph.bars.noRank[bar] > 0) return [what, "of no rank"];
    return fact(graph, what, graph.entries.inclusive[first + at], bar);
  });
}

/** The same with what each costs in the group itself. */
function entryFacts(graph: Graph, bar: number): Fact[] {
  const { first, count } = entriesOf(graph, bar);
  return Array.from({ length: count }, (_, at): Fact => {
    // All of the bar has no rank, and so have its entries.
    if (graph.bars.noRank[bar] > 0) return [`entry ${entryName(graph, first + at)}`, "of no rank"];
    const { inclusive, inGroup } = graph.entries;
    const inside = graph.bars.exclusiveNoRank[bar] > 0 ? "of no rank" : formatValue(inGroup[first + at], graph.unit);
    const value = `${formatValue(inclusive[first + at], graph.unit)}, in this group ${inside}`;
    return [`entry ${entryName(graph, first + at)}`, value];
  });
}

/** Both values of a bar and what is between them. */
function bothFacts(graph: Graph, bar: number): Fact[] {
  const both = bothOf(graph, bar);
  if (!both || !graph.pair) return [];
  const { unit, pair } = graph;
  const of = pair.merged ? (["inclusive", "exclusive"] as const) : (["exclusive"] as const);
  return of.flatMap((what): Fact[] => {
    const known = both.map((numbers, half): Fact => {
      const noRank = noRankOf(numbers, what);
      const value = noRank > 0 ? noRankText(noRank, unit) : formatValue(numbers[what], unit);
      return [`${what}, ${visible(pair.halves[half].name).slice(0, 60)}`, numbers.isMissing ? "none" : value];
    });
    // Over ranks there is no difference from what is of none.
    if (both.some((numbers) => noRankOf(numbers, what) > 0)) return known;
    return [...known, ["difference", differenceText(graph, both[0][what], both[1][what])]];
  });
}

function histogramFacts(graph: Graph, bar: number): Fact[] {
  const histograms = shownHistograms(graph);
  if (!histograms) return [];
  const { of, member, minimum, mean, maximum, slowest } = histograms;
  const [least, middle, most] = [minimum, mean, maximum].map((all) => formatValue(all[bar], graph.unit));
  const range = `min ${least}, mean ${middle}, max ${most}`;
  return [
    [`${of} over ${member}s`, range],
    ...imbalanceFacts(histograms, bar),
    [`slowest ${member}`, visible(slowest[bar])],
  ];
}

/** None where there is none: of a recording without ranks. */
function imbalanceFacts({ imbalance, member }: NonNullable<ReturnType<typeof shownHistograms>>, bar: number): Fact[] {
  return imbalance[bar] < 0 ? [] : [["imbalance", `${formatRatio(imbalance[bar])} (max / mean over ${member}s)`]];
}

/** A bar in one sentence, for screen readers. */
export function barSentence(graph: Graph, bar: number): string {
  const { hidden, moreEntries } = graph.bars;
  const parts = [
    shortened(barName(graph, bar)),
    ...ownFacts(graph, bar).map(
      ([what, value, share]) => `${what} ${value}${share === undefined ? "" : ` (${share})`}`,
    ),
  ];
  if (hidden[bar] !== 0) parts.push(`hidden ${withShare(graph, hidden[bar], bar)}`);
  const both = bothOf(graph, bar);
  const own = halfOf(graph, bar)?.name;
  const where = own === undefined ? "" : `in ${visible(own)}, `;
  if (both?.every((numbers) => noRankOf(numbers, "exclusive") === 0))
    parts.push(`${where}exclusive ${differenceText(graph, both[0].exclusive, both[1].exclusive)}`);
  parts.push(plural(entriesOf(graph, bar).count + moreEntries[bar], "entry function"));
  return parts.join(", ");
}

export function entrySentence(graph: Graph, bar: number, entry: number): string {
  const { inclusive, inGroup, exclusive } = graph.entries;
  const place = entryPlace(graph, entry);
  return [
    shortened(entryName(graph, entry)),
    ...(place === undefined ? [] : [place]),
    `inclusive ${withShare(graph, inclusive[entry], bar)}`,
    `in this group ${withShare(graph, inGroup[entry], bar)}`,
    ...(exclusive === undefined ? [] : [`exclusive ${withShare(graph, exclusive[entry], bar)}`]),
  ].join(", ");
}

export function factsOfEntry(graph: Graph, bar: number, entry: number): Fact[] {
  const { inclusive, inGroup, exclusive } = graph.entries;
  return [
    fact(graph, "inclusive", inclusive[entry], bar),
    fact(graph, "in this group", inGroup[entry], bar),
    ...(exclusive === undefined ? [] : [fact(graph, "exclusive", exclusive[entry], bar)]),
    ["entry function of", barLabel(graph, bar)],
  ];
}

export function flowName(graph: LaidOutGraph, flow: number): string {
  const { source, target } = graph.layout.flows;
  return `${barLabel(graph, source[flow])} → ${barLabel(graph, target[flow])}`;
}

export function factsOfFlow(graph: LaidOutGraph, flow: number): Fact[] {
  const { source, inclusive } = graph.layout.flows;
  const ofSource = graph.bars.inclusive[source[flow]];
  const facts = [fact(graph, "inclusive", inclusive[flow], source[flow])];
  if (ofSource > 0) facts.push(["of the caller", formatValue((100 * inclusive[flow]) / ofSource, "%")]);
  return facts;
}

/** A bar as text to paste elsewhere. */
export function barAsText(graph: Graph, bar: number): string {
  if (!isLaidOut(graph)) return "";
  const { hidden, contexts, moreEntries } = graph.bars;
  const facts = [
    ...ownFacts(graph, bar),
    ...bothFacts(graph, bar),
    fact(graph, "hidden by the filter", hidden[bar], bar),
    ...histogramFacts(graph, bar),
    ["calling contexts", contexts[bar].toLocaleString("en")] as const,
    ["numbers", overText(graph, bar)] as const,
    ...callers(graph, bar),
    ...callees(graph, bar),
    ...heldFacts(graph, bar, Infinity).map(([, name]): Fact => ["with", name]),
    ...entryFacts(graph, bar),
  ];
  const lines = facts.map(
    ([what, value, share]) => `  ${what}: ${share === undefined ? value : `${value} (${share})`}`,
  );
  if (moreEntries[bar] > 0) lines.push(`  and ${moreEntries[bar]} more entries`);
  return [barName(graph, bar), ...lines].join("\n").slice(0, 100_000);
}

/** What is drawn in one line, the longest wording first. */
export function summary(graph: Graph): string[] {
  const { hiddenFunctions, hiddenExclusive, total, pair, hottest } = graph;
  const bars = plural(barsOfOne(graph), "bar");
  const hidden = hiddenFunctions === 0 ? "nothing hidden" : `${formatShare(hiddenExclusive / total)} hidden`;
  const kept = `${bars} · ${hidden}`;
  const [most = "", members = "", ratio = ""] = hottest?.imbalance ?? [];
  const balanced =
    most === "" ? [] : [`${most} · ${kept}`, `${members} · ${kept}`, `${members} · ${bars}`, members, ratio];
  if (!pair) return balanced.length > 0 ? [...balanced, bars] : [kept, bars];
  const [first, second] = pair.halves;
  // Dots are between parts, not within them.
  const part = (text: string) => text.replaceAll(" · ", ", ");
  const difference = part(`difference ${comparison(graph, first.total, second.total)}`);
  // Two drawings have their titles above them.
  const titles = pair.merged ? [visible(first.title), visible(second.title)].map(part) : [];
  const wordings = [[...titles, difference, kept], [difference, kept], [difference, bars], [difference]];
  return [...new Set(wordings.map((parts) => parts.join(" · ")))];
}

/** To so many characters the name of what is named first is cut in little room. */
const LEAD_CHARACTERS = [24, 12];

/** The hottest function, of a comparison the largest change: bars are groups, in which it is not seen. */
export function lead({ changes, hottest, pair, total, unit }: Graph): Lead | undefined {
  const [largest] = changes?.rows ?? [];
  if (pair) {
    if (!largest || (largest.baseline ?? 0) === (largest.candidate ?? 0)) return undefined;
    return leadOf(undefined, largest, [changeOf(largest.baseline, largest.candidate, unit)]);
  }
  if (!hottest || !(hottest.exclusive > 0)) return undefined;
  return leadOf("hottest:", hottest, [formatValue(hottest.exclusive, unit), formatShare(hottest.exclusive / total)]);
}

/** A name in at most so many characters. */
function cutLetters(text: string, most: number): string {
  const count = (part: string) => Array.from(part).length;
  return cutName(text, most, count, () => true, most - 1) || text;
}

function leadOf(
  before: string | undefined,
  { name, shown = name }: { readonly name: string; readonly shown?: string },
  numbers: readonly string[],
): Lead {
  const text = shortened(visible(shown));
  const cut = (most: number) => cutLetters(text, most);
  const worded = (words: string, texts: readonly string[]) => `${words} ${texts.join(" · ")}`;
  // If there is little room, the share is more useful than the value.
  const brief = numbers.slice(-1);
  const wordings = [worded(text, numbers), ...[text, ...LEAD_CHARACTERS.map(cut)].map((words) => worded(words, brief))];
  const whole = worded(shortened(visible(name)), numbers);
  return {
    ...(before === undefined ? {} : { before }),
    wordings,
    hint: `${before === undefined ? "" : `${before} `}${whole}: go to its hottest line`,
  };
}

/** "time, mean over 8 ranks"; of a recording without ranks "time". @param bar of whose half */
export function overText(graph: Graph, bar?: number): string {
  const half = bar === undefined ? undefined : halfOf(graph, bar);
  const combined = half ? half.combined : graph.combined;
  const name = visible(graph.metric).slice(0, 60);
  return combined === "" ? name : `${name}, ${visible(combined)}`;
}

/** @param bar of whose half the value is */
function withShare(graph: Graph, value: number, bar: number): string {
  return `${formatValue(value, graph.unit)} (${formatShare(value / totalOf(graph, bar))})`;
}

/** The strip about a selected bar. @param more what the host said of it */
export function details(graph: Graph, mark: number, more: Explained | undefined): Details {
  const { bar = 0 } = markOf(graph, mark);
  const { hidden, moreEntries } = graph.bars;
  const imbalance = shownHistograms(graph)?.imbalance[bar] ?? -1;
  const entries = entriesOf(graph, bar).count + moreEntries[bar];
  return {
    name: barName(graph, bar),
    ...(more?.place === undefined ? {} : { place: more.place }),
    numbers: [
      ...(more?.facts ?? []),
      ...ownFacts(graph, bar),
      ...(imbalance < 0 ? [] : [["imbalance", formatRatio(imbalance)] as const]),
      ["entries", entries.toLocaleString("en")],
      ...(hidden[bar] === 0 ? [] : [fact(graph, "hidden", hidden[bar], bar)]),
    ],
    actions: [
      { id: "open", name: "Go to hottest line", icon: "go-to-file", key: "Enter" },
      // Only where that is somewhere else.
      ...(more && more.facts.length > 0
        ? [{ id: "go-to-function", name: "Go to its function", icon: "symbol-method" }]
        : []),
      ...(graph.unspread === undefined ? [{ id: "histogram", name: "Show histogram", icon: "graph" }] : []),
      { id: "look-inside", name: "Look inside", icon: "flame" },
      { id: "hot-path", name: "Follow hot path", icon: "list-tree" },
    ],
  };
}
