/** The scatter as a table for other programs: every point, and what is known of the line. Pure. */
import type { ScatterMessage } from "../../src/protocol/correlation";
import { csv } from "../../src/model/csv";
import { axisName, whyNoLine } from "./describe";

export function scatterCsv(scatter: ScatterMessage, chosen: ReadonlySet<number> | undefined): string {
  const { names, called, xs, ys, x, y, nouns, density, fit } = scatter;
  const rows: (string | number)[][] = [
    [
      nouns[0],
      `${axisName(x, scatter)} (${x.unit})`,
      `${axisName(y, scatter)} (${y.unit})`,
      density ? nouns[1] : "chosen",
    ],
  ];
  called.forEach((name, mark) => {
    const last = density ? density.counts[mark] : chosen === undefined ? "" : chosen.has(mark) ? "yes" : "no";
    rows.push([names[name], xs[mark], ys[mark], last]);
  });
  rows.push(["n", fit.points, "", ""]);
  if (fit.kind === "line")
    rows.push(["r", fit.r, "", ""], ["slope", fit.slope, "", ""], ["intercept", fit.intercept, "", ""]);
  else rows.push(["no line", whyNoLine(scatter) ?? "", "", ""]);
  return csv(rows);
}
