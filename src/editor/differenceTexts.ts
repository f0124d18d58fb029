/** What lines, CodeLenses and hovers say of a comparison (semantics 10, Difference). Pure. */
import type { ComparedFunction, ComparedValue, DocumentCosts, DocumentDifferences, SideRuns } from "../engine/api";
import { bothText, differenceOf, differenceText, significanceText } from "../model/differences";
import { shortName, shownOf } from "../model/shortName";
import { counted } from "../model/texts";
import { heatLevel, type HeatOptions, type LineDecoration, lineDecorations, MOST_LINES, placesText } from "./heat";
import { lensName } from "./lensTexts";
import { amount, plain } from "./markdown";

/** Functions of one line that a hover writes out. */
const MOST_FUNCTIONS = 3;

/** What lines show: their costs, or what differs in a comparison. */
export function decorationsOf(
  found:
    | { readonly costs: DocumentCosts; readonly differences?: undefined }
    | { readonly differences: DocumentDifferences },
  options: HeatOptions,
): LineDecoration[] {
  return found.differences ? differenceDecorations(found.differences, options) : lineDecorations(found.costs, options);
}

/** Lines by |difference|: as hot as that is, orange where the candidate costs more, blue where less. */
export function differenceDecorations({ lines }: DocumentDifferences, options: HeatOptions): LineDecoration[] {
  const changed = lines.filter(({ share }) => share > 0 && share >= options.minimumShare);
  const largest = [...changed].sort((a, b) => b.share - a.share || a.line - b.line).slice(0, MOST_LINES);
  const byLine = new Map<number, LineDecoration>();
  for (const one of largest) {
    const { line, share, baseline, candidate, oneOf } = one;
    const known = byLine.get(line);
    const text = options.inlineCost
      ? [known?.text, `${differenceText(baseline, candidate, options.unit)}${placesText(oneOf)}`]
          .filter((part) => part !== undefined)
          .join("  ")
      : undefined;
    // Several equally likely places: text at each, never heat.
    const heat =
      oneOf === undefined && known?.level === undefined
        ? { level: heatLevel(share), isLess: (candidate ?? 0) < (baseline ?? 0) }
        : { level: known?.level, isLess: known?.isLess };
    byLine.set(line, { line, ...heat, text });
  }
  return [...byLine.values()].sort((a, b) => a.line - b.line);
}

/**
 * `▲ +101 ms · 10.6× exclusive (10.5 ms → 112 ms) · +120 ms · +9.02 % inclusive`; of an inclusive that is only bounded no difference is
 * known: `at most 1.33 s → at most 1.45 s inclusive`.
 *
 * @param alone no other function stands on its line
 */
export function differenceLensTitle(one: ComparedFunction, recordedUnit: string, alone: boolean): string {
  const unit = lensName(recordedUnit);
  const { exclusive, inclusive, bounds } = one;
  const ofInclusive = bounds
    ? bothText(inclusive, unit, bounds)
    : differenceText(inclusive.baseline, inclusive.candidate, unit);
  const parts = [
    `${differenceText(exclusive.baseline, exclusive.candidate, unit)} exclusive (${bothText(exclusive, unit)})`,
    ...(alone ? [] : [lensName(shownOf(one))]),
    `${ofInclusive} inclusive`,
  ];
  const said = [...parts, ...setTexts(one)].join(" · ");
  return `${directionOf(exclusive)}${said}${placesText(one.oneOf)}`;
}

/** Of two sets of runs: which of them have it, where not all do, and `slower in 5 of 5 runs, p = 0.008`, where that is known. */
function setTexts({ sets }: Pick<ComparedFunction, "sets">): string[] {
  if (!sets) return [];
  const { baseline, candidate, significance } = sets;
  const isIn = ({ having, of }: SideRuns) => `${having === 0 ? "none" : having} of ${counted(of, "run")}`;
  const areAll = [baseline, candidate].every(({ having, of }) => having === of);
  return [
    ...(areAll ? [] : [`in ${isIn(baseline)} → ${isIn(candidate)}`]),
    ...(significance ? [significanceText(significance.slowerIn, significance.of, significance.p)] : []),
  ];
}

/** A sign that is no colour. */
function directionOf({ baseline, candidate }: ComparedValue): string {
  const difference = differenceOf(baseline, candidate);
  return difference > 0 ? "▲ " : difference < 0 ? "▼ " : "";
}

/**
 * What a hover says of a line in a comparison, as Markdown; undefined where nothing is compared on it.
 *
 * @param names of baseline and candidate
 */
export function differenceHover(
  { lines, functions, functionsOnly }: DocumentDifferences,
  line: number,
  names: readonly [string, string],
  unit: string,
): string | undefined {
  const value = (what: string, both: ComparedValue) =>
    `${plain(what)} **${amount(differenceText(both.baseline, both.candidate, unit))}** (${amount(bothText(both, unit))})`;
  const ofLine = functionsOnly === undefined ? lines.filter((one) => one.line === line) : [];
  const here = functions.filter((one) => one.line === line);
  if (ofLine.length + here.length === 0) return undefined;
  const [only] = here;
  // The line's own difference, where no single function says the same.
  const isSaid =
    here.length === 1 &&
    ofLine.every(
      ({ baseline, candidate }) => baseline === only.exclusive.baseline && candidate === only.exclusive.candidate,
    );
  const blocks = [
    `**Heatflow** · ${names.map(plain).join(" → ")}`,
    ...(isSaid ? [] : ofLine).map((one) => `${value("this line", one)}${plain(placesText(one.oneOf))}`),
    ...here.slice(0, MOST_FUNCTIONS).map((one) => {
      const name = `**${plain(shortName(shownOf(one)))}**`;
      const inclusive = one.bounds
        ? plain(`inclusive ${bothText(one.inclusive, unit, one.bounds)}`)
        : value("inclusive", one.inclusive);
      return [`${name}: ${value("exclusive", one.exclusive)}`, inclusive, ...setTexts(one).map(plain)].join(" · ");
    }),
    ...(functionsOnly === undefined ? [] : [plain(`Functions are compared, not lines. ${functionsOnly}`)]),
  ];
  return blocks.join("\n\n");
}
