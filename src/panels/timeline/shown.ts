/** What a timeline has of the engine's answers, and what all its questions name. */
import type {
  CriticalPath,
  Occurrences,
  Phases,
  PhaseSeries,
  TimelineEvent,
  TimelineFacts,
  TimelineFound,
  TimelineMarks,
  TimelineMessages,
  TimelineStrip,
  TimelineSums,
  WaitTotals,
} from "../../engine/api";
import type { Stretch } from "../../protocol/panel";
import { laneOfMark, type TimelineLook, type TimelineState } from "../../protocol/timeline";
import { currentSettings } from "../../session/sourceFeed";
import type { View } from "../kit/definition";
import type { LaneGroups } from "./lanes";

export type TimelineView = View<TimelineState>;

export interface TimelineShown {
  readonly subject: string;
  readonly facts: TimelineFacts;
  readonly groups: LaneGroups;
  readonly isShown: readonly boolean[];
  /** Lanes on top. */
  readonly pinned: readonly number[];
  /** Colours of functions, by name. */
  readonly tones: ReadonlyMap<string, number>;
  /** Number of each state among those of its kind, most time first. */
  readonly shades: ReadonlyMap<number, number>;
  readonly strip: TimelineStrip & { readonly columns: number };
  /** Number of each lane's first event among those of all lanes. */
  readonly firstEvent: Float64Array;
  /** What is here; undefined until the page has said what is in sight. */
  readonly look?: TimelineLook;
  readonly marks?: TimelineMarks;
  readonly messages?: TimelineMessages;
  readonly found?: TimelineFound & { readonly search: string };
  /** Of what is measured, or, where the functions' table is open, of what is in sight; and where its first functions stand. */
  readonly sums?: TimelineSums & {
    readonly range: Stretch;
    readonly places: readonly string[];
    /** Of this lane alone; absent: of all that are shown. */
    readonly lane?: number;
  };
  /** Functions of the same, beside those of another stretch; where the first of them stand. */
  readonly differences?: SumsBesideBaseline & { readonly places: readonly string[] };
  /** Of the function whose events were asked for last. */
  readonly occurrences?: Occurrences & { readonly state: number };
  /** What lanes waited for others in this stretch. */
  readonly waits?: WaitTotals & { readonly range: Stretch };
  /** Where marks are, and what is on it in the stretch that its table is of. */
  readonly path?: CriticalPath;
  readonly pathSums?: CriticalPath & { readonly range: Stretch; readonly places: readonly string[] };
  /** Of the sort that is shown. */
  readonly phases?: Phases & { readonly of: PhaseSeries };
  /** What was asked of events, by their numbers. */
  readonly details: Map<number, Promise<TimelineEvent>>;
}

/** Of one stretch, over a lane, or all that are shown. */
interface SumsOf {
  readonly range: Stretch;
  readonly lane?: number;
}

/** A function of a stretch beside that of another one; what one of the two lacks is 0. */
export interface DifferenceOfSums {
  readonly state: number;
  readonly exclusiveSeconds: number;
  readonly exclusiveBefore: number;
  readonly count: number;
  readonly countBefore: number;
  /** The longest event, of the baseline where the stretch has none. */
  readonly lane: number;
  readonly event: number;
}

export interface SumsBesideBaseline extends SumsOf {
  readonly baseline: SumsOf;
  /** Largest difference first. */
  readonly rows: readonly DifferenceOfSums[];
}

/** Lanes that are shown. */
export function lanesOf({ isShown }: TimelineShown): number[] {
  return isShown.flatMap((one, lane) => (one ? [lane] : []));
}

/** An event, what it stands for, and its line. Asked once for all who want it: none of them may cancel it for the others. */
export function eventOf(shown: TimelineShown, mark: number, view: TimelineView) {
  const { details } = shown;
  const known = details.get(mark);
  if (known) return known;
  const { lane, event } = placeOf(shown, mark);
  if (lane < 0 || event < 0) return undefined;
  const asked = view.session.engine.timelineEvent({ ...traceOf(view), lane, event });
  details.set(mark, asked);
  asked.catch(() => details.delete(mark));
  return asked;
}

/** The event that a mark is named after; of a lane's own mark the event is -1; lane -1: there is none. */
export function placeOf(
  { firstEvent, facts }: Pick<TimelineShown, "firstEvent" | "facts">,
  mark: number,
): { readonly lane: number; readonly event: number } {
  const own = laneOfMark(mark, facts.lanes.length);
  if (own >= 0) return { lane: own, event: -1 };
  const lane = firstEvent.findIndex((first, at) => first <= mark && mark < (firstEvent[at + 1] ?? -1));
  return { lane, event: mark - (firstEvent[lane] ?? 0) };
}

/** What all questions about events name. */
export function traceOf({ dataSet }: TimelineView) {
  return { dataSet: dataSet.id, categories: currentSettings().categories };
}

/** What labels and tables call a function; tooltips and details have its whole name. */
export function stateName({ states, shownNames }: TimelineFacts, state: number): string {
  const { name } = states[state];
  return shownNames.get(name) ?? name;
}
