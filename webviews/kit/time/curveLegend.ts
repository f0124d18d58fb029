/** What curves of quantities over time mean. */
import { formatValue } from "../../../src/model/units";
import type { MetricsBands } from "../../../src/protocol/metrics";
import { svg } from "../../shared/dom";
import type { LegendEntry } from "../frame/model";
import type { Theme } from "../theme/theme";
import { hasSteps } from "./columns";

/** How long what one column shows is, in words; of a run that takes no time, nothing. */
export function columnText(bands: MetricsBands | undefined, { start, end }: { start: number; end: number }): string {
  return bands && end > start ? formatValue((bands.to - bands.from) / bands.columns, "s") : "";
}

/** Bands and steps, as far as there are any. */
export function curveLegend(
  bands: MetricsBands | undefined,
  run: { readonly start: number; readonly end: number },
  theme: Theme,
): LegendEntry[] {
  if (!bands) return [];
  const places = [...bands.rows.keys()];
  const column = columnText(bands, run);
  const picture = (shape: SVGElement) => svg("svg", { width: 16, height: 10, "aria-hidden": "true" }, shape);
  const band = svg("path", { d: "M0,3h5v-2h5v3h6v4h-6v-2h-5v3h-5Z", fill: theme.soft });
  const line = svg("path", { d: "M0,8h5v-6h6v4h5", stroke: theme.soft, "stroke-width": 1.5, fill: "none" });
  return [
    ...(places.every((place) => hasSteps(bands, place))
      ? []
      : [{ parts: [picture(band), `least to most${column === "" ? "" : ` of each ${column}`}`] }]),
    ...(places.some((place) => hasSteps(bands, place)) ? [{ parts: [picture(line), "each value"] }] : []),
  ];
}
