/** What CodeLenses and hovers say of one run of an ensemble beside all others (semantics 10, Target). Pure. */
import type { TargetCosts, TargetFunction, TargetSpread } from "../engine/api";
import { shortName, shownOf } from "../model/shortName";
import { counted } from "../model/texts";
import { formatPercentile, formatValue } from "../model/units";
import { placesText } from "./heat";
import { listText } from "./hoverText";
import { lensName, MAX_RECORDING } from "./lensTexts";
import { amount, plain } from "./markdown";

/** Runs that a hover writes out. */
const MOST_RUNS = 10;
const MOST_FUNCTIONS = 3;
/** Bins of a strip, and how high its columns get. */
const STRIP_BINS = 24;
const COLUMNS = "▁▂▃▄▅▆▇█";

/**
 * `1.39 s, ensemble 1.31–1.42 s, 91st percentile`; `not in this run, ensemble 1.31–1.42 s`; where runs lack it, in how many it is.
 *
 * @param what is said behind the target's value
 */
function spreadText(spread: TargetSpread, unit: string, staying: number, what = ""): string {
  const { target, least, most, percentile, runs } = spread;
  const own = (target === null ? "not in this run" : formatValue(target, unit)) + what;
  if (runs === 0) return own;
  const some = runs < staying ? ` in ${runs} of ${staying} runs` : "";
  const place = Number.isNaN(percentile) ? "" : `, ${formatPercentile(percentile)}`;
  return `${own}, ensemble ${rangeText(least, most, unit)}${some}${place}`;
}

/** `1.31–1.42 s`, `980 ms – 1.42 s`; one value where both are written alike. */
function rangeText(least: number, most: number, unit: string): string {
  const [low, high] = [formatValue(least, unit), formatValue(most, unit)];
  if (low === high) return high;
  const [lowUnit, highUnit] = [low, high].map((text) => text.slice(text.indexOf(" ")));
  return low.includes(" ") && lowUnit === highUnit ? `${low.slice(0, low.indexOf(" "))}–${high}` : `${low} – ${high}`;
}

/**
 * `1.39 s inclusive, ensemble 1.31–1.42 s, 91st percentile · run 64c · 1.20 s exclusive, …`
 *
 * @param alone no other function stands on its line
 */
export function targetLensTitle(one: TargetFunction, costs: TargetCosts, recordedUnit: string, alone: boolean): string {
  const unit = lensName(recordedUnit);
  const text = (spread: TargetSpread, what: string) => spreadText(spread, unit, costs.names.length, ` ${what}`);
  const { inclusive, exclusive } = one;
  const isIn = inclusive.target !== null;
  const parts = [
    isIn ? text(inclusive, "inclusive") : spreadText(inclusive, unit, costs.names.length),
    ...(alone ? [] : [lensName(shownOf(one))]),
    `run ${lensName(costs.target, MAX_RECORDING)}`,
    ...(isIn ? [text(exclusive, "exclusive")] : []),
  ];
  return `${parts.join(" · ")}${placesText(one.oneOf)}`;
}

/** Functions with a lens: those whose share reaches the least one, in the target or, where it lacks them, in any run. */
export function targetLenses({ functions }: TargetCosts, minimumShare: number): TargetFunction[] {
  return functions.filter(({ share }) => share > 0 && share >= minimumShare);
}

/** What a hover says of a line, as Markdown; undefined: nothing of any run stands on it. @param costs of this line, with values */
export function targetHover(costs: TargetCosts, unit: string): string | undefined {
  const { functions, lines, names, target } = costs;
  const ofLine = lines.filter(({ exclusive }) => exclusive.runs > 0);
  if (functions.length + ofLine.length === 0) return undefined;
  const text = (spread: TargetSpread) =>
    `**${amount(spreadText(spread, unit, names.length))}**`.replaceAll(",\u00a0", ", ");
  const blocks = functions
    .slice(0, MOST_FUNCTIONS)
    .map(
      (one) =>
        `**${plain(shortName(shownOf(one)))}**: inclusive ${text(one.inclusive)} · exclusive ${text(one.exclusive)}`,
    );
  // The line's own values, where no single function says the same.
  const [only] = functions;
  const isSaid = functions.length === 1 && ofLine.every(({ exclusive }) => isSame(exclusive, only.exclusive));
  const said = isSaid
    ? blocks
    : [...ofLine.map((one) => `this line ${text(one.exclusive)}${plain(placesText(one.oneOf))}`), ...blocks];
  const [shown, what] = only ? [only.inclusive, "inclusive"] : [ofLine[0].exclusive, "exclusive"];
  return [
    `**Heatflow** · run ${plain(shortName(target))} beside ${counted(names.length, "run")}`,
    ...said,
    ...stripOf(shown, unit),
    ...runTable(shown, costs, what, unit),
  ].join("\n\n");
}

function isSame(a: TargetSpread, b: TargetSpread): boolean {
  return a.target === b.target && a.least === b.least && a.most === b.most;
}

/** How many runs are where between least and most, and an arrow beneath the target. */
function stripOf({ values = new Float64Array(), target, least, most }: TargetSpread, unit: string): string[] {
  if (!(most > least)) return [];
  const binOf = (value: number) =>
    Math.min(STRIP_BINS - 1, Math.floor(((value - least) / (most - least)) * STRIP_BINS));
  const counts = new Int32Array(STRIP_BINS);
  for (const value of values) if (!Number.isNaN(value)) counts[binOf(value)]++;
  const fullest = counts.reduce((a, b) => Math.max(a, b), 0);
  const bars = Array.from(counts, (count) => (count === 0 ? " " : COLUMNS[Math.ceil((count / fullest) * 8) - 1]));
  const isInside = target !== null && target >= least && target <= most;
  const arrow = isInside ? `\n${" ".repeat(binOf(target))}▲` : "";
  return [
    `\`\`\`text\n${bars.join("")}${arrow}\n\`\`\``,
    `${amount(formatValue(least, unit))} to ${amount(formatValue(most, unit))}`,
  ];
}

/** Runs from the largest value on, the target among them. */
function runTable(
  { values = new Float64Array() }: TargetSpread,
  { names, target }: TargetCosts,
  what: string,
  unit: string,
): string[] {
  const having = [...names.keys()].filter((run) => !Number.isNaN(values[run]));
  having.sort((a, b) => values[b] - values[a] || a - b);
  const own = having.findIndex((run) => names[run] === target);
  const listed = having.slice(0, MOST_RUNS);
  if (own >= MOST_RUNS) listed[MOST_RUNS - 1] = having[own];
  const rows = listed.map((run) => {
    const name = plain(shortName(names[run]));
    return [amount(formatValue(values[run], unit)), names[run] === target ? `**${name}**` : name];
  });
  return rows.length === 0 ? [] : listText(`Runs, ${what}`, rows, having.length - rows.length);
}
