/** What is said about rectangles and the whole drawing, in words and numbers. Pure. */
import { formatShare, formatValue } from "../../src/model/units";
import type { FlameExplanation, FlamesMessage } from "../../src/protocol/flameGraph";
import { csv } from "../../src/model/csv";
import { plural, visible } from "../shared/text";
import type { Rectangles } from "./rectangles";

/** "time, mean over 8 ranks"; of a recording without ranks "time". */
export function overText({ metric, over, ranks }: Pick<FlamesMessage, "metric" | "over" | "ranks">): string {
  const rank = /^rank=(\d+)$/.exec(over);
  const name = visible(metric).slice(0, 60);
  if (ranks === 0) return name;
  return `${name}, ${rank ? `rank ${rank[1]}` : `${over} over ${plural(ranks, "rank")}`}`;
}

export function withShare({ unit, total }: FlamesMessage, value: number): string {
  return `${formatValue(value, unit)} (${formatShare(value / total)})`;
}

/** A rectangle in one sentence, for screen readers. */
export function sentence(rectangles: Rectangles, at: number): string {
  const { message } = rectangles;
  const parts = [rectangles.name(at).slice(0, 200), `inclusive ${withShare(message, message.inclusive[at])}`];
  if (!rectangles.isRun(at)) parts.push(`exclusive ${withShare(message, message.exclusive[at])}`);
  parts.push(`level ${message.depth[at] + 1}`);
  const group = rectangles.group(at);
  if (group !== undefined) parts.push(group);
  if (rectangles.isNarrow(at)) parts.push("too narrow for what it calls");
  return parts.join(", ");
}

/** Facts of the tooltip. */
export function facts(rectangles: Rectangles, at: number, more: FlameExplanation | undefined): [string, string][] {
  const { message } = rectangles;
  const isCallers = message.pane === "callers";
  const rows: [string, string][] = [["inclusive", withShare(message, message.inclusive[at])]];
  if (!rectangles.isRun(at)) rows.push(["exclusive", withShare(message, message.exclusive[at])]);
  if (isCallers && message.depth[at] > 0) rows.push(["numbers of", "the calls along this path"]);
  const group = rectangles.group(at);
  if (group !== undefined) rows.push(["group", group]);
  if (more) {
    rows.push(["line", more.place === undefined ? "not known" : visible(more.place)]);
    if (more.contexts > 1) rows.push([isCallers ? "calls" : "calling contexts", more.contexts.toLocaleString("en")]);
  }
  rows.push(["numbers", overText(message)]);
  return rows;
}

/** Steps of a path that are shown. */
const PATH_STEPS = 12;

/** The way to a rectangle: `main › solve › halo`; of a long one the end. */
export function pathText({ path, pathBefore, pane }: FlameExplanation): string {
  const steps = path.slice(-PATH_STEPS).map(visible);
  const before = pathBefore + path.length - steps.length;
  const arrow = pane === "callers" ? " ‹ " : " › ";
  return (before > 0 ? [`${before} more`, ...steps] : steps).join(arrow);
}

/** The line under the controls. */
export function summary(panes: readonly FlamesMessage[]): string {
  const [first] = panes;
  if (!first) return "";
  const sizes = panes.map(({ pane, nodes, levels }) => {
    const what = panes.length > 1 ? `${pane}: ` : "";
    return `${what}${plural(nodes, "rectangle")} in ${plural(levels, "level")}`;
  });
  const drawn = `${formatValue(first.drawn, first.unit)} drawn (${formatShare(first.drawn / first.total)})`;
  return [...sizes, drawn, overText(first)].join(" · ");
}

/** How much a search found in a drawing. */
export function foundText(panes: readonly FlamesMessage[]): string {
  return panes
    .flatMap(({ pane, found, drawn, total, unit }) => {
      if (!found) return [];
      const what = panes.length > 1 ? `${pane}: ` : "";
      const value = found.share * drawn;
      return `${what}${plural(found.count, "rectangle")} found, ${formatValue(value, unit)} (${formatShare(value / total)})`;
    })
    .join(" · ");
}

/** What is in sight, as rows: full precision. */
export function flamesCsv(panes: readonly Rectangles[]): string {
  const rows: (string | number)[][] = [
    ["drawing", "name", "level", "inclusive", "exclusive", "drawn together", "above", "group", "metric"],
  ];
  for (const rectangles of panes) {
    const { message } = rectangles;
    for (let at = 0; at < rectangles.count; at++) {
      const above = message.parent[at];
      rows.push([
        message.pane,
        rectangles.name(at),
        message.depth[at] + 1,
        message.inclusive[at],
        rectangles.isRun(at) ? "" : message.exclusive[at],
        message.together[at],
        above < 0 ? "" : rectangles.name(above),
        rectangles.group(at) ?? "",
        `${message.metric} (${message.unit}), ${message.over}`,
      ]);
    }
  }
  return csv(rows);
}
