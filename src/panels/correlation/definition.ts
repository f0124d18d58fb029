/** The correlation: two values of each rank or other member, function or calling context, and the line that fits them best. */
import type {
  CorrelationAnswer,
  CorrelationAxis,
  CorrelationQuery,
  DataSetInfo,
  MetricInfo,
  PointKind,
  StandIn,
} from "../../engine/api";
import { appendAll } from "../../model/longLists";
import { placeText } from "../../model/placeText";
import { formatValue } from "../../model/units";
import { MARK_LIMIT } from "../../protocol/bounds";
import {
  type Axis,
  type AxisName,
  axisNames,
  type CorrelationChosen,
  type CorrelationContent,
  correlationState,
  type CorrelationState,
  isOfCode,
} from "../../protocol/correlation";
import type { Choice, Control, SelectControl } from "../../protocol/frame";
import { flagIn } from "../../session/commandArguments";
import { spreadMessage } from "../../session/notRecorded";
import { overText, shownUnit } from "../../session/scopeChoice";
import type { PanelDefinition, Subject, View } from "../kit/definition";
import { memberNouns } from "../kit/memberLine";
import { cutToFit } from "../kit/names";
import { isPinOf, type Pinned, pinned, pinSelection } from "../kit/pins";
import { valueControl } from "../kit/scopeControls";
import { shorten } from "../../model/texts";
import { type AboutAxis, sameValueNotes, standInNotes, whyNoLine } from "./notes";

type CorrelationView = View<CorrelationState>;

/** The engine's answer, and which of its points can be drawn: a mark is named by its place among these. */
export interface Scatter {
  readonly answer: CorrelationAnswer;
  readonly points: PointKind;
  readonly marks: readonly number[];
}

const MOST_METRICS = 1000;
const MPI = "MPI";
/** Among the choices of what an axis is of: what the engine found. */
const STAND_IN = "stand-in";

export const correlation: PanelDefinition<CorrelationState, Scatter, CorrelationContent, CorrelationChosen> = {
  id: "correlation",
  title: "Correlation",
  saved: "correlation",
  state: correlationState,
  start: { x: { value: "inclusive", of: "mpi" }, y: { value: "exclusive", of: "selection" } },
  controls,
  combines: (view) => isOfCode(pointsIn(view)),
  choose,
  unmeasured: () => undefined,
  empty(view) {
    if (isOfCode(pointsIn(view))) return undefined;
    const [message] = axisNames.flatMap((name) => spreadMessage(view.dataSet, axisOf(view, name).about.metric) ?? []);
    return message === undefined ? undefined : { message: shorten(message, 4096), advice: "Choose other points." };
  },
  // A restriction of members is only marked; numbers of code are of what it leaves.
  asked: (view) => [queryOf(view), isOfCode(pointsIn(view)) ? { within: view.scope.chosen } : {}],
  async ask(view, task) {
    const query = queryOf(view);
    return scatterOf(await view.session.engine.correlation(query, task), query.points);
  },
  content,
  notes,
  members: {
    part: ({ answer, points, marks }, { by, members }) => {
      if (by !== points || answer.density) return undefined;
      const wanted = new Set(members);
      return { marks: Int32Array.from(marks.keys()).filter((mark) => wanted.has(answer.names[marks[mark]])) };
    },
    of({ answer, points, marks }, chosen) {
      if (points === "context" || points === "function") return undefined;
      // In the order of all members, as a restriction is written.
      const members = [...new Set(chosen)].sort((a, b) => a - b).flatMap((mark) => answer.names.at(marks[mark]) ?? []);
      return { by: points, members };
    },
  },
  /** Where a point of code leads: its hottest line. */
  async explain(shown, mark, { session, scope }, task) {
    const target = codeOf(shown, mark)?.target;
    if (!target) return undefined;
    const [hottest] = await session.engine.hotPlaces({ scope, target, limit: 1 }, task);
    const place = hottest && placeText(hottest.link);
    return { facts: [], ...(place === undefined ? {} : { place: shorten(place, 300) }) };
  },
  subject: (shown, mark) => (mark === undefined ? undefined : codeOf(shown, mark)),
  markOf({ answer, points, marks }, { target }) {
    const id =
      target.kind === "function" && points === "function"
        ? target.function
        : target.kind === "context" && points === "context"
          ? target.context
          : undefined;
    const mark = id === undefined ? -1 : marks.findIndex((at) => answer.ids[at] === id);
    return mark < 0 ? undefined : mark;
  },
  followed: (selection, view) =>
    following(view) === 0 || isPinOf(view.state.subject, selection)
      ? undefined
      : { subject: pinSelection(selection, view) },
  opened({ session, dataSet, state: { x, y } }, argument) {
    const { selection } = session;
    if (!flagIn(argument, "pin") || selection?.dataSet !== dataSet.id) return undefined;
    const pin = pinSelection(selection, { session, dataSet });
    return {
      subject: pin,
      x: { ...x, value: "exclusive", of: "selection" },
      y: { ...y, value: "exclusive", of: "pinned", pin },
    };
  },
  actions: {
    "copy-numbers": ({ answer, marks }, mark, panel) => {
      const at = marks.at(mark ?? NaN);
      return at === undefined ? undefined : panel.copy([answer.names[at], answer.x[at], answer.y[at]].join("\t"));
    },
  },
};

/** An answer with the points that have two finite values. */
export function scatterOf(answer: CorrelationAnswer, points: PointKind): Scatter {
  const isDrawn = (at: number) => Number.isFinite(answer.x[at]) && Number.isFinite(answer.y[at]);
  return { answer, points, marks: [...answer.ids.keys()].filter(isDrawn) };
}

function codeOf({ answer, points, marks }: Scatter, mark: number): Subject | undefined {
  const at = marks.at(mark);
  if (at === undefined || !isOfCode(points)) return undefined;
  const id = answer.ids[at];
  const name = answer.names[at];
  return points === "context"
    ? { target: { kind: "context", context: id }, name }
    : { target: { kind: "function", function: id }, name };
}

function queryOf(view: CorrelationView): CorrelationQuery {
  const { x, y } = view.state;
  return {
    points: pointsIn(view),
    x: axisOf(view, "x").axis,
    y: axisOf(view, "y").axis,
    mostPoints: MARK_LIMIT,
    anyMetric: x.metric === undefined && y.metric === undefined,
  };
}

/** A line needs so many points. */
const MIN_POINTS = 3;

/** The chosen kind of points if the recording has it, else the first kind of members with enough of them for a line, else functions. */
function pointsIn({ dataSet, state }: CorrelationView): PointKind {
  const chosen = kindsOf(dataSet).find((kind) => kind === state.points);
  const several = dataSet.units.find(({ members }) => members.length >= MIN_POINTS);
  return chosen ?? several?.by ?? "function";
}

function kindsOf({ units, contexts }: DataSetInfo): PointKind[] {
  return [...units.map(({ by }) => by), "function", ...(contexts > 0 ? (["context"] as const) : [])];
}

function nounsOf(points: PointKind): [string, string] {
  if (points === "context") return ["calling context", "calling contexts"];
  return points === "function" ? ["function", "functions"] : memberNouns(points);
}

interface AxisNow {
  readonly axis: CorrelationAxis;
  readonly about: AboutAxis;
  /** What the engine found to stand there. */
  readonly standIn?: StandIn;
  /** Why what was kept on it is not what it shows. */
  readonly lost?: string;
}

/** @param answer of which what stands on open axes is told */
function axisOf(view: CorrelationView, name: AxisName, answer?: CorrelationAnswer): AxisNow {
  const { scope, dataSet, state } = view;
  const { metric: wanted, value, of } = state[name];
  const found = dataSet.metrics.findIndex((metric) => metric.additive && keptName(metric) === wanted);
  const metric = found < 0 ? scope.metric : found;
  const about = { metric: dataSet.metrics[metric], value };
  const axis = { scope: { ...scope, metric }, value };
  if (isOfCode(pointsIn(view)) || of === "whole") return { axis, about };
  const { target, lost, name: named } = subjectOf(view, name);
  if (lost !== undefined) return { axis, about, lost: `${lost} Now ${name} is of the whole recording.` };
  const standIn = answer?.standIns?.[name];
  if (standIn) return { axis, about: aboutStandIn(standIn, view), standIn };
  if (of === "mpi") return { axis: { ...axis, target: { kind: "mpi" } }, about: { ...about, of: MPI } };
  return target
    ? { axis: { ...axis, target }, about: { ...about, of: answer?.functions?.[name] ?? named } }
    : { axis: { ...axis, isOpen: true }, about };
}

/** Of an axis that follows the selection nothing where the other one has just that pinned: a line through what is the same says nothing. */
function subjectOf(view: CorrelationView, name: AxisName): Pinned {
  const { state } = view;
  const { of, pin, metric, value } = state[name];
  const { subject } = state;
  if (of === "pinned") return pinned(pin ?? subject, view);
  const other = state[name === "x" ? "y" : "x"];
  const isSame = other.of === "pinned" && other.metric === metric && other.value === value;
  if (of !== "selection" || (isSame && JSON.stringify(other.pin) === JSON.stringify(subject))) return {};
  return pinned(subject, view);
}

function aboutStandIn({ metric, value, is, name }: StandIn, view: CorrelationView): AboutAxis {
  const { state, dataSet } = view;
  const of = { mpi: MPI, hottest: name, whole: undefined, metric: subjectOf(view, "y").name }[is];
  return { metric: dataSet.metrics[metric], value: is === "metric" ? state.y.value : value, of };
}

/** How many axes show a value of what is selected. */
function following(view: CorrelationView): number {
  return isOfCode(pointsIn(view)) ? 0 : axisNames.filter((name) => view.state[name].of === "selection").length;
}

/** A metric's name as far as it is kept for a reload. */
function keptName({ name }: Pick<MetricInfo, "name">): string {
  return shorten(name, 4096);
}

function controls(view: CorrelationView, shown?: Scatter): Control[] {
  const points = pointsIn(view);
  const choices = kindsOf(view.dataSet).map((kind) => ({ value: kind, label: nounsOf(kind)[1] }));
  return [
    { kind: "select", id: "points", name: "Points", value: points, choices },
    ...axisNames.flatMap((name) => axisControls(view, name, shown?.answer)),
    { kind: "tool", id: "swap", name: "Swap the axes", icon: "arrow-swap", leaves: 3 },
  ];
}

function axisControls(view: CorrelationView, name: AxisName, answer: CorrelationAnswer | undefined): SelectControl[] {
  const { dataSet, state, metric: shared } = view;
  const { of } = state[name];
  const { about, standIn } = axisOf(view, name, answer);
  const metric = standIn?.is === "metric" ? keptName(about.metric) : state[name].metric;
  const select = (what: string, now: string, choices: Choice[]): SelectControl => ({
    kind: "select",
    id: `${name}.${what}`,
    name: `${name}: ${what}`,
    value: now,
    choices,
  });
  const own = dataSet.metrics.filter(({ additive }) => additive).slice(0, MOST_METRICS);
  const metrics: Choice[] = [
    { value: "", label: `${shorten(shared.name, 200)} (follows other views)`, short: shorten(shared.name, 200) },
    ...own.map((known) => ({ value: keptName(known), label: shorten(known.name, 200), group: "this axis" })),
  ];
  const isKnown = own.some((known) => keptName(known) === metric);
  return [
    valueControl(`${name}.value`, about.value, `${name}: value`),
    ...(own.length > 1 ? [select("metric", isKnown && metric !== undefined ? metric : "", metrics)] : []),
    ...(isOfCode(pointsIn(view))
      ? []
      : [select("of", standIn ? STAND_IN : of, subjectChoices(view, name, standIn && about, answer))]),
  ];
}

function subjectChoices(
  { state, selection }: CorrelationView,
  name: AxisName,
  standIn: AboutAxis | undefined,
  answer: Pick<CorrelationAnswer, "functions" | "hasMpi"> | undefined,
): Choice[] {
  const { pin, of } = state[name];
  const { functions, hasMpi } = answer ?? {};
  // The answer may be of what was selected before.
  const placed = (kept: string | undefined, is: typeof of) =>
    of === is && kept !== undefined && functions?.[name]?.startsWith(kept) === true ? functions[name] : kept;
  const now = placed(selection?.name ?? state.subject?.name, "selection");
  const named = (what: string, title: string) => ({ label: shorten(what, 200), title });
  const noMpi = hasMpi === false ? { disabled: "This recording has no calls of MPI" } : {};
  return [
    ...(standIn
      ? [{ value: STAND_IN, ...named(standIn.of ?? "whole recording", "until something else is selected") }]
      : []),
    { value: "selection", ...named(now ?? "selection", "what is selected, whatever that will be") },
    { value: "whole", label: "whole recording", short: "whole" },
    { value: "mpi", label: MPI, ...noMpi },
    ...(pin || of === "pinned"
      ? [{ value: "pinned", ...named(placed(pin?.name, "pinned") ?? "nothing", "pinned: it stays") }]
      : []),
    ...(selection ? [{ value: "pin", label: `pin ${shorten(selection.name, 200)}`, group: "pin" }] : []),
  ];
}

function choose(view: CorrelationView, id: string, value: string): Partial<CorrelationState> | undefined {
  const { state, selection } = view;
  // What follows the selection from now on shows what is selected now.
  const subject = selection && !isPinOf(state.subject, selection) ? pinSelection(selection, view) : state.subject;
  if (id === "swap") return { subject, x: state.y, y: state.x };
  if (id === "points") return { subject, points: kindsOf(view.dataSet).find((kind) => kind === value) };
  const name = axisNames.find((axis) => id.startsWith(`${axis}.`));
  if (!name) return undefined;
  const axis = state[name];
  const changed = (change: Partial<typeof axis>) => ({ subject, [name]: { ...axis, ...change } });
  if (id.endsWith(".value")) return changed({ value: value === "inclusive" ? value : "exclusive" });
  if (id.endsWith(".metric")) return changed({ metric: value === "" ? undefined : value });
  if (value === "pin") return changed({ of: "pinned", pin: subject });
  const of = (["selection", "whole", "mpi", "pinned"] as const).find((known) => known === value);
  return of && changed({ of });
}

function content({ answer, points, marks }: Scatter, view: CorrelationView): CorrelationContent {
  const { fit, count, x, y, density } = answer;
  const over = isOfCode(points) ? overText(view.dataSet, view.scope) : "";
  return {
    points,
    nouns: nounsOf(points),
    ...(over === "" ? {} : { over: shorten(over, 400) }),
    x: axisContent(axisOf(view, "x", answer).about),
    y: axisContent(axisOf(view, "y", answer).about),
    fit,
    count,
    ...namesOf(marks.map((at) => (answer.placed ?? answer.names)[at])),
    xs: Float64Array.from(marks, (at) => x[at]),
    ys: Float64Array.from(marks, (at) => y[at]),
    ...(density ? { density: { ...density, x: [...density.x], y: [...density.y] } } : {}),
  };
}

/** Each name once, as long as the message has room for. */
function namesOf(names: readonly string[]): Pick<CorrelationContent, "names" | "called"> {
  const known = new Map([...new Set(names)].map((name, at) => [name, at]));
  return { names: cutToFit([...known.keys()]), called: Int32Array.from(names, (name) => known.get(name) ?? 0) };
}

function axisContent({ metric, value, of }: AboutAxis): Axis {
  return {
    metric: shorten(metric.name, 200),
    unit: shorten(shownUnit(metric), 200),
    value,
    ...(of === undefined ? {} : { of: shorten(of, 400) }),
  };
}

function notes({ answer, points }: Scatter, view: CorrelationView): string[] {
  const { fit, count, without, density } = answer;
  const { dataSet } = view;
  const nouns = nounsOf(points);
  const several = (many: number) => `${many.toLocaleString("en")} ${nouns[many === 1 ? 0 : 1]}`;
  const axes = { x: axisOf(view, "x", answer), y: axisOf(view, "y", answer) };
  const { x, y } = axes;
  const followed = following(view);
  const text = (axis: AxisName, value: number) => formatValue(value, shownUnit(axes[axis].about.metric));
  const said = [
    whyNoLine(answer, nouns, text),
    ...sameValueNotes(answer, { x: x.about, y: y.about }, followed),
    x.lost,
    y.lost,
  ];
  if (fit.leftOut > 0) said.push(`${several(fit.leftOut)} left out: a value is not a finite number.`);
  if (without > 0) said.push(`${several(without)} without either value left out.`);
  if (density) said.push(`${several(count)}, counted by cell; the line is through all of them`);
  if (isOfCode(points) && dataSet.units.length === 0) said.push(spreadMessage(dataSet, dataSet.metrics.at(0)));
  appendAll(said, standInNotes(axes, view.state, answer.hasMpi === true, nouns[1]));
  // Functions are what a call graph measures.
  if (dataSet.estimated && points !== "function") said.push("Estimated from a call graph.");
  return said.filter((note) => note !== undefined);
}
