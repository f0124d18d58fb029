/** Recorded counters below the lanes: asked for when marks are there, so that these never wait for them. */
import type { CounterFacts, TimelineFacts } from "../../engine/api";
import { counted } from "../../model/texts";
import { parse } from "../../protocol/bounds";
import type { ToolControl } from "../../protocol/frame";
import { MOST_COLUMNS } from "../../protocol/metrics";
import { timelineLook, type TimelineState } from "../../protocol/timeline";
import { counterOfMark, MOST_COUNTERS, type TimelinePart } from "../../protocol/timelineCounters";
import type { LaterPart, Note, PanelHandle } from "../kit/definition";
import { bandsShown } from "../metrics/content";
import { changingRows, orderOf } from "../metrics/rows";
import { cutToFit } from "../kit/names";
import { type TimelineShown, type TimelineView, traceOf } from "./shown";

/** Characters of all names of a kind as JSON. */
const NAMES_LENGTH = 20_000;

/** What it is called and of what it is stays while the recording is open. */
const known = new WeakMap<TimelineFacts, CounterFacts>();

/** Number of rows of counters. Counters that do not change are shown if they are asked for. */
export function counterRows(
  { counters, changingCounters }: Pick<TimelineFacts, "counters" | "changingCounters">,
  { counters: isShown, constantCounters }: TimelineState,
): number {
  if (isShown === false) return 0;
  return Math.min(MOST_COUNTERS, constantCounters ? counters : changingCounters);
}

/** State in which counters that do not change are shown. */
export const CONSTANT_SHOWN: Partial<TimelineState> = { counters: true, constantCounters: true };

/** Note with a button if counters that do not change are all that a timeline could show. */
export function constantNotes(
  facts: Pick<TimelineFacts, "lanes" | "counters" | "changingCounters">,
  state: TimelineState,
): Note[] {
  if (facts.lanes.length > 0 || facts.counters === 0 || counterRows(facts, state) > 0) return [];
  const text = `${counted(facts.counters, "counter")} ${facts.counters === 1 ? "does" : "do"} not change.`;
  return [{ text, link: { id: "constantCounters", text: facts.counters === 1 ? "Show It" : "Show Them" } }];
}

export function counterControls(
  facts: TimelineFacts | undefined,
  { state, scope }: Pick<TimelineView, "state" | "scope">,
): ToolControl[] {
  const { counters = 0, changingCounters = 0 } = facts ?? {};
  const constant = counters - changingCounters;
  const isAsked = state.constantCounters === true;
  const why =
    counters > 0
      ? `${constant === 1 ? "The only counter does" : "The counters do"} not change. “Counters that do not change” in the menu shows them.`
      : scope.chosen
        ? "No counter is recorded of what the numbers are restricted to."
        : "No counters are recorded.";
  const constantOnes: ToolControl = {
    kind: "tool",
    id: "constantCounters",
    icon: "pulse",
    leaves: 9,
    tucked: true,
    name: `Counters that do not change (${constant.toLocaleString("en")})`,
    on: isAsked,
  };
  return [
    {
      kind: "tool",
      id: "counters",
      name: "Counters below the lanes",
      icon: "pulse",
      leaves: 9,
      on: facts !== undefined && counterRows(facts, state) > 0,
      ...(facts && (counters === 0 || (!isAsked && changingCounters === 0)) ? { disabled: why } : {}),
    },
    ...(constant > 0 ? [constantOnes] : []),
  ];
}

export const laterCounters: LaterPart<TimelineState, TimelineShown, TimelinePart> = {
  depends(view, shown) {
    const look = lookOf(view, shown);
    if (!look || counterRows(shown.facts, view.state) === 0) return undefined;
    return [look.from, look.to, look.pixel, look.window, view.state.constantCounters];
  },
  async ask(shown, view, task) {
    const look = lookOf(view, shown);
    if (!look) throw new Error("counters are asked for of what is in sight");
    const { engine } = view.session;
    const of = { ...traceOf(view), recordedOnly: true, ...(view.scope.chosen ? { chosen: view.scope.chosen } : {}) };
    const facts = known.get(shown.facts) ?? (await engine.counterFacts(of, task));
    known.set(shown.facts, facts);
    const { from, to, pixel, window } = look;
    const sums = await engine.counterSums({ ...of, fromSeconds: window.from, toSeconds: window.to }, task);
    const all = facts.rows.flatMap(({ isLeft }, row) => (isLeft ? [row] : []));
    const left = view.state.constantCounters ? all : changingRows(facts, all);
    const order = orderOf(facts, left, sums, "variance").slice(0, MOST_COUNTERS);
    const rows = order.map((place) => left[place]);
    const query = { ...of, rows, fromSeconds: from, toSeconds: to, pixelSeconds: pixel, mostColumns: MOST_COLUMNS };
    const bands = await engine.counterBands(query, task);
    const own = rows.map((row) => facts.rows[row]);
    const texts = (all: readonly string[]) => cutToFit(all, NAMES_LENGTH);
    const column = (all: Float64Array) => Float64Array.from(rows, (row) => all[row]);
    return {
      counters: {
        subject: shown.subject,
        window,
        counter: Int32Array.from(rows),
        names: texts(own.map(({ name }) => name)),
        places: texts(own.map(({ resource }) => placeName(facts, resource))),
        units: texts(own.map(({ unit }) => unit)),
        least: Float64Array.from(own, ({ least }) => least),
        most: Float64Array.from(own, ({ most }) => most),
        ownLeast: column(sums.least),
        ownMost: column(sums.most),
        bands: bandsShown(bands, [...rows.keys()]),
        pixel,
      },
    };
  },
};

/** What is in sight of what is shown; undefined until the page has said that. */
function lookOf({ look }: TimelineView, { subject, marks }: TimelineShown) {
  const known = parse(timelineLook, look);
  return marks && known?.subject === subject ? known : undefined;
}

function placeName({ resources }: CounterFacts, resource: number): string {
  return resource < 0 ? "" : resources[resource].name;
}

/** On to the metrics over time, where the rows of this counter are shown, and its place stands out. */
export async function goToMetrics(
  { facts }: TimelineShown,
  mark: number | undefined,
  panel: PanelHandle<TimelineState, TimelineShown>,
): Promise<void> {
  const counter = mark === undefined ? -1 : counterOfMark(mark);
  const counters = known.get(facts);
  const fact = counter < 0 ? undefined : counters?.rows.at(counter);
  if (!counters || !fact) return;
  const { name, lanes, resource } = fact;
  const subject = { target: undefined, name: placeName(counters, resource) || name, at: { lanes } };
  await panel.run("heatflow.showMetrics", subject, { quantity: name });
}
