/** What the hover of a line says (semantics 4), as Markdown. Pure. */
import { basename } from "node:path";
import type { LineCall, LineCost, LineDetails, LineMovement, SourceLink } from "../engine/api";
import { unitName } from "../model/members";
import { shortName, shownOf } from "../model/shortName";
import { counted } from "../model/texts";
import { formatRatio, formatShare, formatValue, noRankText } from "../model/units";
import { costText } from "./heat";
import { amount, commandLink, plain } from "./markdown";
import { movementBlock } from "./movementTexts";

export interface HoverContext {
  readonly dataSet: number;
  readonly dataSetName: string;
  readonly metric: string;
  readonly unit: string;
  /** `mean over 8 ranks`; "" where there are none. */
  readonly over: string;
  /** Calling contexts stand for a call graph (semantics 1, Call-graph formats); all else is measured. */
  readonly estimated: boolean;
  /** 1-based line of the document. */
  readonly line: number;
  /** While two recordings are compared: which of them all of this is of. */
  readonly side?: "baseline" | "candidate";
  /** What stands behind the line. */
  readonly costs?: readonly LineCost[];
  /** What the line moved. */
  readonly moved?: readonly LineMovement[];
}

/** Contexts and functions written out: a hover is read in a second or two. */
const MOST_FUNCTIONS = 3;
const MOST_CONTEXTS = 5;
const MOST_CALLS = 5;
const MOST_PLACES = 3;
/** Of a long call path, the innermost steps say most. */
const MOST_STEPS = 6;
/** Characters of the reason for a line. */
const MOST_REASON = 1000;

/** Hover of a name that has no cost although a recording has it. @param clause about the recording: `recorded from work.cu, …` */
export function foreignHover(name: string, dataSetName: string, clause: string): string {
  const heading = ["**Heatflow**", plain(dataSetName)].join(" · ");
  const locate = commandLink("Locate Source…", "heatflow.locateSource", {});
  return `${heading}\n\n---\n\n${plain(name)} has no cost here: ${plain(clause)}. ${locate}`;
}

/**
 * @param details of what stands on one line, heaviest first
 * @param calls what is called from it, heaviest first; it, details or what was moved has something
 */
export function hoverText(
  details: readonly LineDetails[],
  context: HoverContext,
  calls: readonly LineCall[] = [],
): string {
  const { metric, over, dataSetName, side } = context;
  const blocks = details.slice(0, MOST_FUNCTIONS).map((detail) => functionBlock(detail, context));
  const more = details.length - MOST_FUNCTIONS;
  if (more > 0) blocks.push(`${counted(more, "more function")} on this line`);
  const own = lineBlock(details, context);
  if (own !== undefined) blocks.unshift(own);
  if (context.moved && context.moved.length > 0) blocks.push(movementBlock(context.moved));
  if (calls.length > 0) blocks.push(callsBlock(calls, context));
  const name = side === undefined ? dataSetName : `of the ${side} alone, ${dataSetName}`;
  const said = [metric, over, name].filter((part) => part !== "").map(plain);
  return [["**Heatflow**", ...said].join(" · "), ...blocks].join("\n\n---\n\n");
}

/** The line's own cost comes first, where no single function says the same. */
function lineBlock(details: readonly LineDetails[], { costs = [], unit }: HoverContext): string | undefined {
  if (
    costs.length === 0 ||
    (details.length === 1 && costs.every(({ exclusive }) => exclusive === details[0].exclusive))
  )
    return undefined;
  const functions = details.length > 1 ? `, exclusive, in ${counted(details.length, "function")}` : ", exclusive";
  const texts = plain(costs.map((cost) => costText(cost, unit)).join("; "));
  // Numbers stay with their units; names of functions may be long.
  return `**This line: ${texts.replace(/(\d) (?=\S)/g, "$1\u00a0")}**${functions}`;
}

function functionBlock(detail: LineDetails, context: HoverContext): string {
  const value = (of: number) => amount(formatValue(of, context.unit));
  const { noRank = { exclusive: 0, inclusive: 0 } } = detail;
  const unranked = (sum: number) => amount(noRankText(sum, context.unit));
  const inclusive =
    noRank.inclusive > 0 ? unranked(noRank.inclusive) : `${detail.atMost ? "at most " : ""}${value(detail.inclusive)}`;
  const exclusive =
    noRank.exclusive > 0
      ? unranked(noRank.exclusive)
      : `${value(detail.exclusive)} (${amount(formatShare(detail.share))})`;
  const lines = [
    `**${plain(shortName(shownOf(detail)))}**`,
    ...(detail.shown === undefined ? [] : [plain(shortName(detail.name, MOST_REASON))]),
    `inclusive ${inclusive} · exclusive ${exclusive}`,
    ...ranksLine(detail, value),
    ...contextLines(detail, context, value),
    `Why this line: ${plain(shortName(detail.link.reason, MOST_REASON))}${placesText(detail)}`,
    linksLine(detail, context),
  ];
  return lines.join("\n\n");
}

/** Calls have no heat here: their cost stands where it is spent. */
function callsBlock(calls: readonly LineCall[], context: HoverContext): string {
  const { dataSet, line, unit } = context;
  const listed = calls.slice(0, MOST_CALLS).map((call) => {
    const { inclusive, share, callee, definition, function: id } = call;
    const name = plain(shortName(callee));
    const graph = commandLink(name, "heatflow.showSuperGraph", { dataSet, function: id });
    const numbers = [formatValue(inclusive, unit), formatShare(share)].map(amount);
    return [...numbers, `${graph}: ${leadsTo(definition)}${placesText(call)}`];
  });
  return [
    ...listText("Called from this line, inclusive", listed, calls.length - listed.length),
    commandLink("Why Here?", "heatflow.whyHere", { line }),
  ].join("\n\n");
}

function leadsTo({ places, rule, summary }: SourceLink): string {
  if (places.length === 0) return "not in the folders";
  if (summary !== undefined) return plain(shortName(summary));
  const at = places.slice(0, MOST_PLACES).map(({ file, line }) => plain(`${basename(file)}:${line}`));
  const more = places.length > MOST_PLACES ? `, ${places.length - MOST_PLACES} more` : "";
  const what = rule === "region-begin" ? "begins" : rule === "call" ? "the call" : "defined";
  return `${what} at ${at.join(" or ")}${more}`;
}

function ranksLine(detail: LineDetails, value: (amount: number) => string): string[] {
  const { overRanks: ranks, imbalance, recordedMinimum, recordedMaximum } = detail;
  if (ranks) {
    return [
      `Exclusive over ${ranks.members} ${unitName(ranks.by, ranks.members)}: min ${value(ranks.minimum)} · mean ${value(ranks.mean)} · ` +
        `max ${value(ranks.maximum)} on ${amount(`${unitName(ranks.by, 1)} ${ranks.slowest}`)}`,
      ...(imbalance === undefined
        ? []
        : [`Imbalance ${plain(formatRatio(imbalance))} (of the function's inclusive, largest / mean)`]),
    ];
  }
  const recorded = [
    recordedMinimum === undefined ? "" : `min ${value(recordedMinimum)}`,
    recordedMaximum === undefined ? "" : `max ${value(recordedMaximum)}`,
  ].filter((part) => part !== "");
  return recorded.length === 0 ? [] : [`Recorded over ranks: ${recorded.join(" · ")}`];
}

function contextLines(detail: LineDetails, context: HoverContext, value: (amount: number) => string): string[] {
  if (detail.contexts.length === 0) return [];
  const listed = detail.contexts.slice(0, MOST_CONTEXTS).map(({ context: id, path, inclusive }) => {
    const link = commandLink(pathText(path), "heatflow.revealContext", { dataSet: context.dataSet, context: id });
    return [value(inclusive), link];
  });
  const more = detail.contexts.length - listed.length + detail.moreContexts;
  const estimated = context.estimated ? ", estimated from a call graph" : "";
  // Those of a line are without what the line calls, which are contexts of their own.
  const isOwn = detail.inclusive > detail.exclusive && detail.contexts.every((one) => one.inclusive === one.exclusive);
  return listText(`Calling contexts, ${isOwn ? "exclusive" : "inclusive"}${estimated}`, listed, more);
}

/** Rows with their numbers below each other, then how many more there are. @param rows Markdown: numbers, and last a text; at least one row */
export function listText(title: string, rows: readonly (readonly string[])[], more: number): string[] {
  const numbers = rows[0].slice(1);
  // The title stands above: VS Code writes those of columns in their middle.
  const apart = rows.map(([first, ...others]) => [first, ...others.map((cell) => `&nbsp;${cell}`)]);
  const cells = [rows[0].map(() => ""), [...numbers.map(() => "---:"), ":---"], ...apart];
  const table = cells.map((row) => `| ${row.join(" | ")} |`).join("\n");
  return [`${title}:`, table, ...(more > 0 ? [`${more} more`] : [])];
}

function pathText(path: readonly string[]): string {
  const steps = path.slice(-MOST_STEPS).map((name) => plain(shortName(name)));
  return (path.length > MOST_STEPS ? ["…", ...steps] : steps).join(" › ");
}

function placesText({ link }: Pick<LineDetails, "link">): string {
  return link.places.length > 1 ? ` (one of ${link.places.length} places)` : "";
}

function linksLine(detail: LineDetails, context: HoverContext): string {
  const { dataSet, line } = context;
  const first = detail.contexts.at(0)?.context;
  return [
    commandLink("Super Graph", "heatflow.showSuperGraph", { dataSet, function: detail.function }),
    ...(first === undefined
      ? []
      : [commandLink("Calling Contexts", "heatflow.revealContext", { dataSet, context: first })]),
    commandLink("Why Here?", "heatflow.whyHere", { line }),
  ].join(" · ");
}
