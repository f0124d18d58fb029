/** The controls that every panel begins with: metric and how ranks are combined; the chips of restriction and comparison. */
import type { DataSetInfo, Scope } from "../../engine/api";
import { withoutEnding } from "../../model/placeText";
import { shortPair } from "../../model/recordingNames";
import { overRanksText, parseOverRanks } from "../../model/metrics";
import type { Chip, SelectControl } from "../../protocol/frame";
import { combinedUnit, rankCount, restrictionTexts } from "../../session/scopeChoice";
import { comparedWith } from "../../session/comparedScopes";
import type { Session } from "../../session/session";
import type { View } from "./definition";
import { shorten } from "../../model/texts";

const METRIC = "metric";
const OVER = "over";
/** The chips of the session's restriction, to members, in time and to kinds of work, and of its comparison. */
export const RESTRICTION = "restriction";
export const WINDOW = "window";
export const KINDS = "kinds";
export const COMPARISON = "comparison";
const MOST_METRICS = 1000;
/** One list holds no more entries than people look through. */
const MOST_RANKS = 900;

/** @param combines whether numbers are combined over ranks */
export function scopeControls(dataSet: DataSetInfo, scope: Scope, combines = true): SelectControl[] {
  const metric: SelectControl = {
    kind: "select",
    id: METRIC,
    name: "Metric",
    value: String(scope.metric),
    choices: dataSet.metrics.slice(0, MOST_METRICS).map(({ name, unit, note, ofEvents }, at) => ({
      value: String(at),
      label: shorten(name, 200),
      ...((scope.window ?? scope.kinds) && !ofEvents
        ? { disabled: "recorded for the whole run only, not over time" }
        : {}),
      ...(unit === "1" && note === undefined
        ? {}
        : { title: shorten([unit === "1" ? "" : unit, note ?? ""].filter(Boolean).join(": "), 400) }),
    })),
  };
  // Without several ranks there is nothing to combine.
  return !combines || rankCount(dataSet, scope) <= 1 ? [metric] : [metric, overControl(dataSet, scope)];
}

function overControl(dataSet: DataSetInfo, scope: Scope): SelectControl {
  const unit = combinedUnit(dataSet, scope);
  const ways = ["mean", "sum", "max", "min"].map((way) => ({ value: way, label: `${way} over ${unit}`, short: way }));
  const one = dataSet.ranks
    .slice(0, MOST_RANKS)
    .map((rank) => ({ value: `rank=${rank}`, label: `rank ${rank}`, group: "one rank" }));
  const value = overRanksText(scope.over);
  const isListed = [...ways, ...one].some((choice) => choice.value === value);
  const listed = isListed ? one : [...one, { value, label: value.replace("=", " "), group: "one rank" }];
  return {
    kind: "select",
    id: OVER,
    name: `Over ${unit}`,
    value,
    choices: [...ways, ...(dataSet.ranks.length > 1 ? listed : [])],
  };
}

/** With or without what is called. @param id of the control */
export function valueControl(id: string, value: "exclusive" | "inclusive", name = "Value"): SelectControl {
  const choices = ["exclusive", "inclusive"].map((way) => ({ value: way, label: way, short: `${way.slice(0, 4)}.` }));
  return { kind: "select", id, name, value, choices };
}

type ScopedView = Pick<View<unknown>, "session" | "dataSet" | "scope">;

/** @returns whether the control was one of these */
export function setScope(session: Session, { dataSet }: { dataSet: DataSetInfo }, id: string, value: string): boolean {
  if (id === METRIC) {
    const metric = Number(value);
    if (Number.isInteger(metric) && metric >= 0 && metric < dataSet.metrics.length)
      session.setMetric(dataSet.id, metric);
    return true;
  }
  if (id !== OVER) return false;
  const over = parseOverRanks(value);
  if (over) session.setOver(dataSet.id, over);
  return true;
}

/**
 * @param drawsBoth whether both recordings of a comparison are drawn, not one of them alone
 * @param members what the restriction to members is called; undefined: as everywhere
 */
export function scopeChips({ session, dataSet, scope }: ScopedView, drawsBoth: boolean, members?: string): Chip[] {
  const texts = Object.entries({
    ...restrictionTexts(scope),
    ...(members === undefined ? {} : { [RESTRICTION]: members }),
  });
  const restriction: Chip[] = texts.map(([id, text]) => ({ id, text }));
  const both = comparedWith(session, dataSet.id);
  if (!both) return restriction;
  const [baseline, candidate] = both.map(({ info }) => shorten(info.name, 100));
  const said = `${candidate} compared with ${baseline}`;
  if (drawsBoth) return [...restriction, { id: COMPARISON, text: shortPair(baseline, candidate).join(" → "), said }];
  // Its own name begins the row.
  const [ofBaseline, ofCandidate] = shortPair(withoutEnding(baseline), withoutEnding(candidate));
  const [side, other] = dataSet.id === both[0].info.id ? ["baseline", ofCandidate] : ["candidate", ofBaseline];
  const alone = { text: `${side} of ${other}`, said: `${said}: the ${side} alone is drawn` };
  return [...restriction, { id: COMPARISON, ...alone }];
}
