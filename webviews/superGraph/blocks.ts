/** What stands beside bars: name and value, how they are spread over ranks, what is exclusive, their entry functions. Pure. */
import { appendAll } from "../../src/model/longLists";
import { formatRatio, formatShare, formatValue, noRankText } from "../../src/model/units";
import type { Box, DrawView, Shape, Sign } from "../kit/stage/scene";
import { heatPosition } from "../kit/theme/theme";
import { cutName, cutToLetters, type Measure, namesInShort } from "../shared/text";
import {
  barLabel,
  barName,
  bothOf,
  comparedParts,
  knownOf,
  differenceOf,
  entriesOf,
  entryMark,
  entryName,
  type Graph,
  type Held,
  heldBy,
  hottestBars,
  insideOf,
  onTheWay,
  noRankOf,
  type Numbers,
  shownHistograms,
  totalOf,
} from "./graph";
import { BLOCK, LabelRoom, type LabelText, leaderShape, LINE, NAME_LINE, type PlacedLabel } from "./labels";
import { areDifferent, histogramShapes, histogramSize } from "./miniHistograms";
import type { Placed, PlacedBar } from "./placed";

export const NAME_SIZE = 12;
const SIZE = 11;
/** From the top of a line to the baseline of its text. */
const NAME_BASE = 11;
const BASE = 10;
/** Between the parts of a row. */
const GAP = 6;
/** From a bar to the names of its segments: a tick, and what stands around it. */
const TICK = 9;
const TICK_GAP = 2;
const BESIDE = 6;
/** How far a bracket stands off its bar. */
const BRACKET = 2.5;
/** A segment from here on is named beside itself; a bar's only entry, where the bar is so high. */
export const NAMED = 12;
const ONLY_NAMED = 90;
/** Entries from this share of their bar on are listed. */
const LISTED_SHARE = 0.02;
const SQUARE = 7;
const LONGEST_UNIT = 5;
/** Between an amount and what is said of it. */
const DOT = " · ";
/** Names of entries have at least so much room. */
const NARROWEST = 34;
/** Share of the total from which on a bar lists the functions inside, how many, and the letters of each. */
const MIN_INSIDE_SHARE = 0.08;
const MAX_INSIDE = 4;
const INSIDE_LETTERS = [24, 18, 12];

/** Without a picture of the members, less than this says nothing. */
const NO_IMBALANCE = 1.01;

export interface Blocks {
  readonly shapes: readonly Shape[];
  readonly signs: readonly Sign[];
  readonly hasHistograms: boolean;
  /** `1.35×` stands beside a bar. */
  readonly hasImbalance: boolean;
  /** Entry functions are named. */
  readonly hasEntries: boolean;
}

/**
 * @param others what is to stay free as well: titles
 * @param first bars whose labels are placed before all others: selected, pointed at
 */
export function blocksOf(placed: Placed, others: readonly Box[], view: DrawView, first: readonly number[]): Blocks {
  return new Around(placed, others, view).all(first);
}

class Around {
  private readonly shapes: Shape[] = [];
  private readonly signs: Sign[] = [];
  private readonly room: LabelRoom;
  private readonly measure: Measure;
  private hasHistograms = false;
  private hasImbalance = false;
  private hasEntries = false;

  constructor(
    private readonly placed: Placed,
    others: readonly Box[],
    private readonly view: DrawView,
  ) {
    const { bars } = placed;
    const { width, height, measure } = view;
    this.measure = measure(SIZE);
    this.room = new LabelRoom({
      bars,
      others,
      width,
      height,
      measureName: measure(NAME_SIZE, 600),
      measureRest: this.measure,
    });
  }

  all(first: readonly number[]): Blocks {
    const labels = this.room.place(labelTexts(this.placed, first));
    for (const label of labels) this.name(label);
    // Further rows take only what no label needs, those of the heaviest bars first.
    for (const label of labels) {
      if (label.height === BLOCK) this.rows(label);
      else if (!label.leader) this.exclusiveInPlace(label.bar, this.placed.bars[label.bar]);
    }
    const { shapes, signs, hasHistograms, hasImbalance, hasEntries } = this;
    return { shapes, signs, hasHistograms, hasImbalance, hasEntries };
  }

  private name({ x, y, width, height, bar, name, number, numberX, leader, shortened }: PlacedLabel): void {
    const { theme } = this.view;
    const whole = barName(this.placed.graph, bar);
    const title = shortened || name !== whole ? { title: whole } : {};
    const text = { kind: "text", of: bar, halo: theme.background } as const;
    if (leader) this.shapes.push(leaderShape(leader, bar, theme));
    const at = { x, y: y + NAME_BASE };
    this.shapes.push({ ...text, ...title, at, text: name, size: NAME_SIZE, weight: 600, fill: theme.text });
    this.signs.push({ box: { x, y, width, height }, mark: bar });
    if (number === undefined) return;
    const there = numberX === undefined ? { x, y: y + NAME_LINE + BASE } : { x: x + numberX, y: at.y };
    this.shapes.push({ ...text, at: there, text: number, size: SIZE, fill: theme.soft });
  }

  /** What had no room in the label, ranks, what is exclusive, and entry functions. */
  private rows({ x, y, bar, number }: PlacedLabel): void {
    const { graph, bars, largestDifference } = this.placed;
    const box = bars[bar];
    const isBeside = x >= box.x + box.width;
    let next = y + BLOCK;
    const [first, ...others] = sayingsOf(graph, bar, largestDifference !== undefined);
    const missing = number === first.join(DOT) || first.length === 1 ? [] : [first.slice(1)];
    for (const saying of [...missing, ...others])
      if (this.row(bar, { x, y: next }, [{ text: saying.join(DOT), soft: true }])) next += LINE;
    const inPlace = this.exclusiveInPlace(bar, box);
    if (this.third(bar, x, next, inPlace)) next += LINE + 2;
    if (this.chain(bar, x, next)) next += LINE;
    const listed = this.inside(bar, x, next);
    next += listed * LINE;
    this.entries(bar, box, isBeside ? next : Math.max(box.y, 0), listed > 0);
  }

  /** The callers that are folded into the bar. @returns whether they are named */
  private chain(bar: number, x: number, y: number): boolean {
    const held = heldBy(this.placed.graph, bar);
    return chainWordings(held).some((text) => this.row(bar, { x, y }, [{ text, soft: true }]));
  }

  /** The functions that a bar of several consists of, largest first. @returns how many are listed */
  private inside(bar: number, x: number, y: number): number {
    const { graph } = this.placed;
    const total = totalOf(graph, bar);
    const way = onTheWay(graph, bar);
    const wordings = way.length > 0 ? wayNames : insideNames;
    const functions = way.length > 0 ? way : insideOf(graph, bar);
    const isOfOne = way.length === 0 && (functions.length < 2 || functions[0].name === barLabel(graph, bar));
    if (isOfOne || graph.bars.exclusive[bar] < MIN_INSIDE_SHARE * total) return 0;
    let count = 0;
    for (const { name, exclusive } of functions.slice(0, MAX_INSIDE)) {
      const share = { text: formatShare(exclusive / total), soft: true };
      const at = { x, y: y + count * LINE };
      if (!wordings(name).some((text) => this.row(bar, at, [{ text }, share]))) break;
      count++;
    }
    return count;
  }

  /** "exclusive 275 ms" where no flow leaves. @returns whether it stands there */
  private exclusiveInPlace(bar: number, { x, y, width, height, hiddenHeight, entries }: PlacedBar): boolean {
    const { graph, pixelsPerUnit, largestDifference } = this.placed;
    const { inclusive, exclusive } = graph.bars;
    if (largestDifference !== undefined || exclusive[bar] === inclusive[bar]) return false;
    const high = exclusive[bar] * pixelsPerUnit;
    if (high < LINE) return false;
    const bottom = Math.min(y + height - hiddenHeight, this.view.height);
    const top = Math.max(y, y + height - hiddenHeight - high, 0);
    const at = { x: x + width + BESIDE, y: (top + bottom - LINE) / 2 };
    const value = formatValue(exclusive[bar], graph.unit);
    const isWritten = ["exclusive", "excl."].some((word) =>
      this.row(bar, at, [{ text: word, soft: true }, { text: value }]),
    );
    const segments = entries.filter((segment) => segment.height >= LISTED_SHARE * height).length;
    if (isWritten && segments > 1) this.bracket(bar, x + width, top, bottom);
    return isWritten;
  }

  /** Around what a text stands for that is about several segments: in its middle it would seem to name one. */
  private bracket(bar: number, right: number, top: number, bottom: number): void {
    const d = `M${right + 0.5},${top + 0.5}H${right + BRACKET}V${bottom - 0.5}H${right + 0.5}`;
    this.shapes.push({ kind: "path", d, stroke: this.view.theme.muted, strokeWidth: 1, of: bar });
  }

  /** The third line of a label. @returns whether it stands there */
  private third(bar: number, x: number, y: number, hasExclusive: boolean): boolean {
    const { graph, largestDifference } = this.placed;
    const { theme } = this.view;
    const { inclusive, exclusive, noRank, exclusiveNoRank } = graph.bars;
    const histograms = shownHistograms(graph);
    const isPart = exclusive[bar] !== inclusive[bar] && exclusive[bar] > 0;
    const isOfNoRank = noRank[bar] === 0 && exclusiveNoRank[bar] > 0;
    const own = isOfNoRank ? noRankText(exclusiveNoRank[bar], graph.unit) : formatValue(exclusive[bar], graph.unit);
    const tellsExclusive = !hasExclusive && largestDifference === undefined && (isPart || isOfNoRank);
    const words = tellsExclusive ? [{ text: `excl. ${own}`, soft: true }] : [];
    // Beside differences a ratio would be read as one of both.
    const imbalance = largestDifference === undefined ? (histograms?.imbalance[bar] ?? -1) : -1;
    const ratio = imbalance < 0 ? [] : [{ text: formatRatio(imbalance), soft: true }];
    if (histograms && areDifferent(histograms, bar)) {
      for (const texts of [[...ratio, ...words], ratio]) {
        const size = histogramSize(histograms);
        const width = size.width + texts.reduce((sum, { text }) => sum + GAP + this.measure(text), 0);
        if (!this.room.take(bar, { x, y, width, height: LINE })) continue;
        const box = { x, y: y + (LINE - size.height) / 2, ...size };
        appendAll(this.shapes, histogramShapes(histograms, bar, box, theme));
        this.signs.push({ box, mark: bar, does: "histogram" });
        this.write(bar, x + size.width + GAP, y, texts);
        this.hasHistograms = true;
        this.hasImbalance ||= ratio.length > 0;
        return true;
      }
    }
    const tellsRatio = imbalance > NO_IMBALANCE;
    const rest = tellsRatio ? [...ratio, ...words] : words;
    if (rest.length === 0 || !this.row(bar, { x, y }, rest)) return false;
    this.hasImbalance ||= tellsRatio;
    return true;
  }

  /**
   * Segments that are high enough are named beside themselves. Else all of the bar's entries are listed below its label.
   *
   * @param isListed functions of the bar are listed there already
   */
  private entries(bar: number, { x, width, y, height, entries }: PlacedBar, next: number, isListed: boolean): void {
    const { graph, largestDifference } = this.placed;
    if (largestDifference !== undefined || entries.length === 0) return;
    const { first } = entriesOf(graph, bar);
    const left = x + width;
    const value = (at: number) => formatValue(graph.entries.inclusive[first + at], graph.unit);
    if (entries.length === 1) {
      const name = entryName(graph, first);
      const isNamed = name.trim() !== "" && name !== barLabel(graph, bar);
      // Above the label, if that stands at the bar's foot.
      const top = next + LINE <= y + height ? next : Math.max(y, 0);
      if (height >= ONLY_NAMED && isNamed) this.tick(bar, first, left, top, y, [name]);
      return;
    }
    const hasName = (at: number) => entryName(graph, first + at).trim() !== "";
    const listed = entries.flatMap(({ height: own }, at) => (own >= LISTED_SHARE * height && hasName(at) ? [at] : []));
    if (listed.every((at) => entries[at].height >= NAMED)) {
      for (const at of listed) {
        const segment = entries[at];
        const middle = segment.y + (segment.height - LINE) / 2;
        // Beside a segment that reaches below its bar's label, below the label.
        const lowest = segment.y + segment.height - LINE;
        const top = next > middle && next <= lowest ? next : middle;
        this.tick(bar, first + at, left, top, segment.y, [entryName(graph, first + at), value(at)]);
      }
      return;
    }
    if (isListed) return;
    const bottom = y + height;
    for (const at of listed) {
      if (next + LINE > bottom) return;
      if (!this.listed(bar, first + at, left + BESIDE, next, value(at))) return;
      next += LINE;
    }
  }

  /** A line from the bar to the name of one of its segments. */
  private tick(bar: number, entry: number, left: number, top: number, least: number, words: readonly string[]): void {
    const { theme } = this.view;
    const x = left + TICK + 2 * TICK_GAP;
    const y = Math.max(top, least);
    const [name, ...rest] = words;
    const texts = this.fitted(bar, { x, y }, name, rest.join(""));
    if (!texts) return;
    const d = `M${left + TICK_GAP},${y + LINE / 2}h${TICK}`;
    this.shapes.push({ kind: "path", d, stroke: theme.muted, strokeWidth: 1, of: bar });
    this.entry(bar, entry, { x, y }, texts);
  }

  /** A row of the list: a square in the segment's heat, name and value. */
  private listed(bar: number, entry: number, x: number, y: number, value: string): boolean {
    const { theme } = this.view;
    const { graph, hottest } = this.placed;
    const texts = this.fitted(bar, { x: x + SQUARE + GAP, y }, entryName(graph, entry), value);
    if (!texts) return false;
    const box = { x, y: y + (LINE - SQUARE) / 2, width: SQUARE, height: SQUARE };
    const fill = theme.heat(heatPosition(graph.entries.inGroup[entry], hottest));
    this.shapes.push({ kind: "box", box, fill, stroke: theme.outline, strokeWidth: 0.75, of: bar });
    this.entry(bar, entry, { x: x + SQUARE + GAP, y }, texts);
    return true;
  }

  private entry(bar: number, entry: number, { x, y }: { x: number; y: number }, texts: readonly Word[]): void {
    this.write(bar, x, y, texts);
    const width = this.widthOf(texts);
    this.signs.push({ box: { x, y, width, height: LINE }, mark: entryMark(this.placed.graph, entry) });
    this.hasEntries = true;
  }

  /** Name and value of an entry where there is room: the value goes first, then the middle of the name. */
  private fitted(bar: number, { x, y }: { x: number; y: number }, name: string, value: string): Word[] | undefined {
    const left = this.placed.bars[bar];
    const from = left.x + left.width;
    const tries = (words: readonly Word[]) => {
      const width = this.widthOf(words);
      return this.room.take(bar, { x: from, y, width: x - from + width, height: LINE });
    };
    const texts: Word[] = [{ text: name }, ...(value === "" ? [] : [{ text: value, soft: true }])];
    if (tries(texts)) return texts;
    if (tries(texts.slice(0, 1))) return texts.slice(0, 1);
    for (let most = this.widthOf(texts.slice(0, 1)) / 1.2; most >= NARROWEST; most /= 1.2) {
      const text = cutName(name, most, this.measure, () => true);
      if (text === "") return undefined;
      if (tries([{ text }])) return [{ text }];
    }
    return undefined;
  }

  /** @returns whether there was room for it */
  private row(bar: number, { x, y }: { x: number; y: number }, words: readonly Word[]): boolean {
    if (!this.room.take(bar, { x, y, width: this.widthOf(words), height: LINE })) return false;
    this.write(bar, x, y, words);
    return true;
  }

  private write(bar: number, x: number, y: number, words: readonly Word[]): void {
    const { theme } = this.view;
    for (const { text, soft = false } of words) {
      const fill = soft ? theme.soft : theme.text;
      this.shapes.push({
        kind: "text",
        at: { x, y: y + BASE },
        text,
        size: SIZE,
        fill,
        halo: theme.background,
        of: bar,
      });
      x += this.measure(text) + GAP;
    }
  }

  private widthOf(words: readonly Word[]): number {
    return Math.ceil(words.reduce((sum, { text }) => sum + GAP + this.measure(text), -GAP));
  }
}

interface Word {
  readonly text: string;
  readonly soft?: boolean;
}

/** The name of a function inside a bar, in ever fewer letters. */
function insideNames(name: string): string[] {
  const names = namesInShort(name, false);
  return INSIDE_LETTERS.map(
    (letters) => names.find(({ length }) => length <= letters) ?? cutToLetters(names[names.length - 1], letters)[0],
  );
}

/** "on the way: libgomp, no names", "on the way: libgomp", "libgomp": the start lists nothing else, so the last one still says it. */
function wayNames(name: string): string[] {
  const [library] = name.split(", no names", 1);
  return [`on the way: ${name}`, `on the way: ${library}`, ...insideNames(library)];
}

/** "with main", "with 2 callers, sqlite3 …", "3 frames": the longest first. @param held groups that are folded into a bar */
export function chainWordings({ names, count }: Held): string[] {
  if (count === 0) return [];
  const [first] = names;
  const named = count === 1 ? `with ${first}` : `with ${count.toLocaleString("en")} callers, ${first} …`;
  return [named, `${(count + 1).toLocaleString("en")} frames`];
}

/**
 * Texts of labels in the order of placing: bars under the pointer, then the hottest (in a comparison the largest differences), then the tallest
 * (semantics 2.7, order of names).
 */
function labelTexts({ graph, bars, largestDifference }: Placed, first: readonly number[]): LabelText[] {
  const byDifference = largestDifference !== undefined;
  const chosen = first.filter((bar) => bar < bars.length);
  // What is of no rank on one side is not known to differ, nor not to.
  const says = (bar: number) =>
    !byDifference || differenceOf(graph, bar) !== 0 || !bothOf(graph, bar)?.some(isOfNoRank);
  const { inclusive } = graph.bars;
  const tallest = [...bars.keys()].sort(
    (a, b) => bars[b].height - bars[a].height || inclusive[b] - inclusive[a] || a - b,
  );
  const needed = new Set([...chosen, ...hottestBars(graph, byDifference), ...tallest.slice(0, 1)]);
  return [...new Set([...needed, ...tallest.filter(says)])].map((bar) => ({
    bar,
    name: barLabel(graph, bar),
    needed: needed.has(bar),
    numbers: numbersOf(graph, bar, byDifference),
  }));
}

function isOfNoRank(numbers: Numbers): boolean {
  return noRankOf(numbers, "exclusive") > 0 || noRankOf(numbers, "inclusive") > 0;
}

/** The second line of a label: all of it, then less and less. */
function numbersOf(graph: Graph, bar: number, byDifference: boolean): string[] {
  const { unit, bars } = graph;
  const [first] = sayingsOf(graph, bar, byDifference);
  const all = first.map((_, at) => first.slice(0, first.length - at).join(DOT));
  // A unit that is a whole name stands in the toolbar, too.
  const isLong = unit.length > LONGEST_UNIT && !byDifference && bars.noRank[bar] === 0;
  return isLong ? [...all, formatValue(bars.inclusive[bar], "").trim()] : all;
}

/** Amounts of a bar with what is said of each, the most important first: the first stands in its label. */
function sayingsOf(graph: Graph, bar: number, byDifference: boolean): string[][] {
  const { unit, bars, pair } = graph;
  const both = bothOf(graph, bar);
  const inclusive = formatValue(bars.inclusive[bar], unit);
  if (both && byDifference) {
    const change = (what: "inclusive" | "exclusive", word: string) => {
      const [first, second] = both.map((numbers) => knownOf(numbers, what));
      const [difference, more] = comparedParts(graph, first, second);
      return [`${word} ${difference}`, ...(more === "" ? [] : [more])];
    };
    const sayings = [
      change("exclusive", "excl."),
      pair?.merged ? change("inclusive", "incl.") : [`incl. ${inclusive}`],
    ];
    // A bar that does not differ itself says first how what it contains differs.
    return differenceOf(graph, bar) === 0 ? sayings.reverse() : sayings;
  }
  if (bars.noRank[bar] > 0) return [[noRankText(bars.noRank[bar], unit)]];
  return [[inclusive, formatShare(bars.inclusive[bar] / totalOf(graph, bar))]];
}
