/** What an ensemble panel asks: its bars over all runs, which decide where everything is, and over those that stay. */
import type { EnsembleBarSpreads, GraphLayout, LayoutSize } from "../../engine/api";
import type { Task } from "../../model/task";
import type { OnScreen } from "../kit/definition";
import { layoutSize, stepsOf } from "../shared";
import { askBeside } from "./beside";
import { chosenRuns, commonOf, comparableCommon, type EnsembleView, parameterOf } from "./query";
import type { ShownEnsemble, SizedLayout } from "./shown";

/** Above the drawing: a column for each run. */
export const STRIP = 52;
/** Names stand above bars. */
const ABOVE = 24;
const GAPS = { bars: ABOVE, beside: ABOVE, flows: 4 };
const [NARROWEST, WIDEST] = [13, 35];
const BAR_SHARE = 0.24;
/** Pixels of a character of a name in a wide font, and of the number behind it. */
const [CHARACTER, NUMBER] = [8, 64];
/** Of the width, for names behind the last level. */
const MOST_NAMES = 0.22;
/** For the twelve characters that a name has at least where it is cut: of the width, and pixels. */
const CUT_NAME = [0.3, 126] as const;

export async function askEnsemble(
  view: EnsembleView,
  task: Task,
  before: readonly OnScreen<ShownEnsemble>[],
): Promise<ShownEnsemble> {
  const { engine } = view.session;
  const scope = { dataSet: view.dataSet.id, metric: view.scope.metric, over: view.state.over };
  const last = before.at(0)?.shown;
  const common = commonOf(view);
  const asked = JSON.stringify([scope, comparableCommon(view), view.state.parameter]);
  // Another restriction, or another run beside them: all runs together stay what they were.
  const known = last?.asked === asked ? last : undefined;
  const runs = known?.runs ?? (await engine.ensembleRuns(scope, task));
  const parameter = parameterOf(runs, view.state.parameter)?.name;
  const query = { ...common, ...(parameter === undefined ? {} : { parameter }) };
  const whole = known?.whole ?? (await engine.ensembleBars({ ...query, scope }, task));
  const chosen = chosenRuns(view);
  // The bars are those of all runs, whichever stay.
  const first = whole.graph.chosen?.choice ?? query.first;
  const staying = chosen
    ? await engine.ensembleBars({ ...query, first, scope: { ...scope, runs: chosen } }, task)
    : whole;
  task.check();
  const layout = known && isSize(known.layout, view) ? known.layout : await layOut(view, whole);
  const shown = { runs, whole, staying, parameter, layout, asked, steps: stepsOf(view.state) };
  return { ...shown, beside: await askBeside(shown, view, task) };
}

export function isSize({ size }: SizedLayout, view: Pick<EnsembleView, "size">): boolean {
  return size.width === view.size.width && size.height === view.size.height;
}

/** Where bars are: on the numbers of all runs, so that they stay where they are whichever runs stay. */
export async function layOut({ session, size }: EnsembleView, whole: EnsembleBarSpreads): Promise<SizedLayout> {
  const { bars, edges } = whole.graph;
  const levels = 1 + bars.level.reduce((most, level) => Math.max(most, level), 0);
  const usual = layoutSize({ width: size.width, height: Math.max(160, size.height - STRIP) });
  const room = { ...usual, labelWidth: Math.max(usual.labelWidth, roomForNames(whole.graph, levels - 1, usual.width)) };
  const barWidth = Math.round(Math.min(WIDEST, Math.max(NARROWEST, (BAR_SHARE * room.width) / levels)));
  const graph = {
    level: bars.level,
    inclusive: bars.height,
    source: edges.source,
    target: edges.target,
    flow: edges.most,
  };
  const layout = await session.engine.layout({ graph, size: { ...room, barWidth, gaps: GAPS, top: ABOVE } });
  return { ...withRoomForNames(layout, room), size };
}

/** Names of the last level stand behind its bars, each with the end of its axis: as long as these are, up to a part of the width. */
function roomForNames({ bars }: EnsembleBarSpreads["graph"], last: number, width: number): number {
  const longest = bars.group.reduce(
    (most, name, bar) => (bars.level[bar] === last ? Math.max(most, name.length) : most),
    0,
  );
  // Where there are many levels each needs its room for values between them.
  const most = Math.min(width / (last + 1), Math.max(MOST_NAMES * width, Math.min(CUT_NAME[0] * width, CUT_NAME[1])));
  return Math.round(Math.min(most, longest * CHARACTER + NUMBER));
}

/**
 * What needs more height than there is has been laid out larger, to be drawn smaller as a whole: but names behind the bars of the last
 * level are drawn as large as ever. So bars and flows come closer together, and these have the room that was left for them.
 */
export function withRoomForNames(layout: GraphLayout, { width, labelWidth }: NameRoom): GraphLayout {
  if (layout.width <= width) return layout;
  const closer = (width - labelWidth) / (layout.width - labelWidth);
  const boxes = layout.boxes.map((value, at) => (at % 4 === 0 || at % 4 === 2 ? value * closer : value));
  return { ...layout, width, boxes, points: layout.points.map((value, at) => (at % 2 === 0 ? value * closer : value)) };
}

type NameRoom = Required<Pick<LayoutSize, "width" | "labelWidth">>;
