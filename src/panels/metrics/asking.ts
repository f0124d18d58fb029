/** What metrics over time ask the engine. */
import { createHash } from "node:crypto";
import type { Task } from "../../model/task";
import { parse } from "../../protocol/bounds";
import { MOST_COLUMNS, metricsLook } from "../../protocol/metrics";
import type { Stretch } from "../../protocol/panel";
import { currentSettings } from "../../session/sourceFeed";
import { leftOf } from "../kit/restricting";
import { orderOf, shownRows } from "./rows";
import { countersOf, type MetricsShown, type MetricsView, type RangedSums } from "./shown";

/** Of the small picture of the whole run. */
const STRIP_COLUMNS = 1000;

export async function askMetrics(view: MetricsView, task: Task): Promise<MetricsShown> {
  const { session, state, window } = view;
  const of = countersOf(view);
  const facts = await session.engine.counterFacts(of, task);
  const { startSeconds: fromSeconds, endSeconds: toSeconds } = facts;
  const whole = { fromSeconds, toSeconds };
  const all = await session.engine.counterSums({ ...of, ...whole }, task);
  const { rows, more, constant } = shownRows(facts, all, state);
  const shown = { subject: subjectOf(view), facts, rows, more, constant };
  const [most] = orderOf(facts, rows, all, "variance");
  const stripQuery = { ...of, ...whole, rows: [rows[most]], pixelSeconds: (toSeconds - fromSeconds) / STRIP_COLUMNS };
  const strip =
    most !== undefined && toSeconds > fromSeconds
      ? { row: most, bands: await session.engine.counterBands(stripQuery, task) }
      : undefined;
  const asked = window ?? { from: fromSeconds, to: toSeconds };
  return lookAtMetrics({ ...shown, ...(strip ? { strip } : {}), window: await sumsIn(asked, view, task) }, view, task);
}

/** Asks for the rows and the stretch of time that are in sight now. */
export async function lookAtMetrics(shown: MetricsShown, view: MetricsView, task: Task): Promise<MetricsShown> {
  const look = parse(metricsLook, view.look);
  if (look?.subject !== shown.subject || look.rows.some((row) => row >= shown.rows.length)) return shown;
  const { session } = view;
  const known = (before: RangedSums | undefined, asked: Stretch) =>
    before && isSame(before.asked, asked) ? before : sumsIn(asked, view, task);
  const keeps = look.keepsColumns === true && shown.look !== undefined && shown.bands !== undefined;
  const [window, measured, bands] = await Promise.all([
    known(shown.window, look.window),
    look.isMeasured ? known(shown.measured, look.range) : undefined,
    keeps
      ? shown.bands
      : session.engine.counterBands(
          {
            ...countersOf(view),
            rows: look.rows.map((row) => shown.rows[row]),
            fromSeconds: look.from,
            toSeconds: look.to,
            pixelSeconds: look.pixel,
            mostColumns: MOST_COLUMNS,
          },
          task,
        ),
  ]);
  task.check();
  const { from, to, pixel, rows } = keeps && shown.look ? shown.look : look;
  return { ...shown, look: { ...look, from, to, pixel, rows }, bands, window, measured };
}

/** Numbers of all rows in a stretch, as far as the restriction leaves it. */
async function sumsIn(asked: Stretch, view: MetricsView, task: Task): Promise<RangedSums> {
  const range = leftOf(asked, view.scope.window);
  const sums = await view.session.engine.counterSums(
    { ...countersOf(view), fromSeconds: range.from, toSeconds: range.to },
    task,
  );
  return { asked, range, sums };
}

function isSame(a: Stretch, b: Stretch): boolean {
  return a.from === b.from && a.to === b.to;
}

/** Another restriction has other rows; one in time has other numbers alone. */
function subjectOf({ dataSet, state, scope }: MetricsView): string {
  return createHash("sha256")
    .update(JSON.stringify([dataSet.key, state.quantity, state.constant, scope.chosen, currentSettings().categories]))
    .digest("base64url")
    .slice(0, 22);
}
