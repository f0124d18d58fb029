/** What the lines of a file show: which heat, which text (semantics 4). Pure. */
import type { DocumentCosts, DocumentMovement, LineCost } from "../engine/api";
import { entryOf } from "../model/maps";
import { formatShare, formatValue } from "../model/units";
import type { HeatBy } from "../session/settings";
import { CALL, calleeName, callsByLine, callsText, type CallText, fittedCalls, shortestCall } from "./callTexts";
import { bytesMoved, MOVED, movementText } from "./movementTexts";

/** Decorations are many for VS Code to track: the hottest lines of a file are shown, the others are a hover away. */
export const MOST_LINES = 1000;

/**
 * Levels of heat, by the least share of the total that a line has. The steps are about a factor of two to three, so that
 * a hot line stands out and a warm one is still seen.
 */
export const levelsFrom: readonly number[] = [0, 0.003, 0.01, 0.03, 0.07, 0.15, 0.3, 0.5];
export const HEAT_LEVELS = levelsFrom.length;

export interface LineDecoration {
  /** 1-based. */
  readonly line: number;
  /** 0 (mild) to {@link HEAT_LEVELS} - 1; undefined: text only. */
  readonly level?: number;
  /** In a comparison: the candidate costs less here. */
  readonly isLess?: boolean;
  /** Shown behind the line's end; undefined: heat only. */
  readonly text?: string;
  /** Calls at the end of {@link text}, which are shorter in a narrow editor. */
  readonly calls?: readonly CallText[];
}

export interface HeatOptions {
  readonly unit: string;
  /** 0 to 1: lines below it show nothing. */
  readonly minimumShare: number;
  readonly inlineCost: boolean;
  /** "bytes": heat is of the bytes that were moved; "time", unless said: of the metric. */
  readonly heatBy?: HeatBy;
  /** What lines moved, where that is known. */
  readonly moved?: DocumentMovement | undefined;
}

/** @param share 0 to 1, of the total */
export function heatLevel(share: number): number {
  let level = 0;
  while (level + 1 < levelsFrom.length && share >= levelsFrom[level + 1]) level++;
  return level;
}

/** @returns at most {@link MOST_LINES} decorated lines, by line */
export function lineDecorations(costs: DocumentCosts, options: HeatOptions): LineDecoration[] {
  const hot = costs.lines.filter((cost) => cost.exclusive > 0 && cost.share >= options.minimumShare);
  const hottest = [...hot].sort((a, b) => b.share - a.share || a.line - b.line).slice(0, MOST_LINES);
  const byLine = new Map<number, { level?: number; texts: string[]; calls?: readonly CallText[] }>();
  const at = (line: number) => entryOf(byLine, line, () => ({ texts: [] }));
  for (const cost of hottest) {
    const decoration = at(cost.line);
    // Several equally likely places: text at each, never heat.
    if (cost.oneOf === undefined && options.heatBy !== "bytes")
      decoration.level = Math.max(decoration.level ?? 0, heatLevel(cost.share));
    if (options.inlineCost) decoration.texts.push(costText(cost, options.unit));
  }
  for (const { line, level, text } of movementsOf(options)) {
    if (byLine.size >= MOST_LINES && !byLine.has(line)) continue;
    const decoration = at(line);
    if (level !== undefined) decoration.level = Math.max(decoration.level ?? 0, level);
    if (text === undefined) continue;
    if (options.heatBy === "bytes") decoration.texts.unshift(text);
    else decoration.texts.push(text);
  }
  if (options.inlineCost) {
    for (const [line, calls] of callsByLine(costs.calls, options, placesText)) {
      if (byLine.size >= MOST_LINES && !byLine.has(line)) continue;
      const decoration = at(line);
      decoration.texts.push(callsText(calls));
      decoration.calls = calls;
    }
  }
  return [...byLine]
    .map(([line, { level, texts, calls }]) => {
      const text = texts.length > 0 ? texts.join(BETWEEN) : undefined;
      return { line, level, text, ...(calls === undefined ? {} : { calls }) };
    })
    .sort((a, b) => a.line - b.line);
}

/** Lines with at least the least share of the bytes that were moved, or whose bytes nobody recorded. */
function movementsOf({ moved, heatBy, inlineCost, minimumShare }: HeatOptions): LineDecoration[] {
  const total = moved ? bytesMoved(moved.total) : 0;
  return (moved?.lines ?? []).flatMap((line) => {
    const bytes = bytesMoved(line);
    if (bytes > 0 && bytes / total < minimumShare) return [];
    return {
      line: line.line,
      ...(heatBy === "bytes" && bytes > 0 && line.oneOf === undefined ? { level: heatLevel(bytes / total) } : {}),
      ...(inlineCost ? { text: `${movementText(line)}${placesText(line.oneOf)}` } : {}),
    };
  });
}

/** `1.24 s · 31 %`, `1.24 s · 31 % (one of 2 places)`, `4.77 ms · 2 %, 4.66 ms in MPI_Wait`, `890 · 9 % inlined into propagate, 3 more`, `704 ms · 34 % in accumulate, lines not recorded`. */
export function costText(cost: LineCost, unit: string): string {
  const whole = formatValue(cost.exclusive, unit);
  return `${whole} · ${formatShare(cost.share)}${mainText(cost, whole, unit)}${placesText(cost.oneOf)}`;
}

function mainText({ mostly }: LineCost, whole: string, unit: string): string {
  if (!mostly) return "";
  const part = formatValue(mostly.exclusive, unit);
  const others = mostly.others > 0 ? `, ${mostly.others} more` : "";
  const lines = mostly.kind === "function" ? ", lines not recorded" : "";
  const where = `${mostly.kind === "inlined" ? "inlined into" : "in"} ${calleeName(mostly.name)}${others}${lines}`;
  return part === whole ? ` ${where}` : `, ${part} ${where}`;
}

/** A line of a document, and the text of its costs. */
export interface LineText {
  readonly code: string;
  readonly text: string;
  /** Calls at the end of {@link text}. */
  readonly calls?: readonly CallText[] | undefined;
}

/** Place of the cost texts of a document, the same for all lines. */
export interface PlacedTexts {
  /** Characters of a column left of all lines of the document; undefined: everything stands behind the lines. */
  readonly columnWidth?: number;
  /** A line's text in the column, and behind it. */
  readonly texts: readonly { readonly inColumn?: string; readonly behind?: string }[];
}

/**
 * Places the texts of a document: behind their lines, with less than all where there is no room, if each shows its cost there. If one does
 * not, costs stand in a column of their own left of the code, so that no line of code is moved against the others.
 *
 * @param columns of text that the editor shows
 */
export function placedTexts(lines: readonly LineText[], tabSize: number, columns: number): PlacedTexts {
  const placed = lines.map((line) => {
    const room = columns - line.code.replace(/\t/g, " ".repeat(tabSize)).length - GAP;
    const [whole, cost] = shortTexts(line.text);
    const behind = whole.length <= room ? fittedText(line, room) : cost.length <= room ? cost : undefined;
    const isOfLine = !line.text.startsWith(CALL);
    return { line, room, behind, cost: isOfLine ? cost : undefined };
  });
  if (placed.every(({ behind, cost }) => behind !== undefined || cost === undefined))
    return { texts: placed.map(({ behind, line, room }) => ({ behind: behind ?? fittedText(line, room) })) };
  const columnWidth = placed.reduce((most, { cost = "" }) => Math.max(most, cost.length), 0);
  const texts = placed.map(({ line, room, cost }): PlacedTexts["texts"][number] => {
    const roomBehind = room - columnWidth - COLUMN_GAP;
    if (cost === undefined) return { behind: fittedText(line, roomBehind) };
    const behind = fittedText({ ...line, text: line.text.slice(cost.length).replace(/^[ ,·]+/, "") }, roomBehind);
    return { inColumn: cost, ...(behind === "" ? {} : { behind }) };
  });
  return { columnWidth, texts };
}

/** A line's text with its calls as short as the room wants. If not even one fits, the costs of the line stand alone. */
function fittedText({ text, calls }: Omit<LineText, "code">, room: number): string {
  if (calls === undefined || text.length <= room) return text;
  const costs = text.slice(0, text.length - callsText(calls).length);
  const fitted = fittedCalls(calls, room - costs.length);
  if (fitted !== undefined) return costs + fitted;
  return costs.trimEnd() === "" ? shortestCall(calls) : costs.trimEnd();
}

/** Of `4.77 ms · 20.0 %, 4.66 ms in MPI_Wait` the line's own cost with its share, and the cost alone; of several calls the first. */
function shortTexts(text: string): readonly [string, string] {
  const [first] = text.split(/, → | {2}/);
  if (first.startsWith(CALL)) return [first, first];
  // A rate is not the number's share: `35.3 GB/s`.
  if (first.startsWith(MOVED)) return [first, first.split(" · ")[0]];
  const [whole] = /^.*? · \S+(?:\s%)?/.exec(first) ?? [first];
  return [whole, whole.split(" · ")[0]];
}

/** Between a line and the text behind it; characters. */
const GAP = 3;
/** Between a column of costs and the code; characters. */
const COLUMN_GAP = 2;
/** Between texts of a line. */
const BETWEEN = "  ";

/** Behind the cost of what may stand at several places. */
export function placesText(oneOf: number | undefined): string {
  return oneOf === undefined ? "" : ` (one of ${oneOf} places)`;
}
