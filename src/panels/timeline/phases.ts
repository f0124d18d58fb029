/** Which iterations or phases a timeline shows. Pure. */
import type { PhaseSeries, TimelineFacts } from "../../engine/api";
import type { ToolControl } from "../../protocol/frame";
import type { TimelinePhases } from "../../protocol/timelineLists";
import { cutToFit } from "../kit/names";
import type { TimelineShown } from "./shown";

/** Characters of all names as JSON. */
const NAMES_LENGTH = 40_000;
/** A menu has no more sorts. */
const MOST_SORTS = 50;
export const NO_PHASES = "";

/** What was chosen; where nothing was, the first sort that the recording's tool has marked as iterations, phases or marks. */
export function shownSeries({ phases }: Pick<TimelineFacts, "phases">, chosen?: string): PhaseSeries | undefined {
  if (chosen === undefined) return phases.find(({ kind }) => kind !== "regions");
  return phases.find(({ id }) => id === chosen);
}

/** Chooses the sort; without a menu where there is none. */
export function phasesControl(facts: Pick<TimelineFacts, "phases"> | undefined, chosen?: string): ToolControl {
  const sorts = facts?.phases.slice(0, MOST_SORTS) ?? [];
  const shown = facts && shownSeries(facts, chosen);
  const choices = [
    ...sorts.map(({ id, name }) => ({ value: id, label: name.slice(0, 200) })),
    { value: NO_PHASES, label: "no phases" },
  ];
  return {
    kind: "tool",
    id: "phases",
    name: "Iterations and phases",
    icon: "milestone",
    leaves: 10,
    tucked: true,
    menu: choices.map((choice) => ({ ...choice, checked: choice.value === (shown?.id ?? NO_PHASES) })),
    ...(facts && sorts.length === 0 ? { disabled: "No iterations or phases are recorded." } : {}),
  };
}

/** Phases as the page has them. */
export function phasesShown({ phases, firstEvent }: TimelineShown): TimelinePhases | undefined {
  if (!phases) return undefined;
  const { of, name, lane, event, more } = phases;
  return {
    of: of.name.slice(0, 200),
    name: cutToFit(name, NAMES_LENGTH),
    from: phases.fromSeconds,
    to: phases.toSeconds,
    lanes: phases.lanes,
    mean: phases.meanSeconds,
    longest: phases.longestSeconds,
    more,
    number: event.map((one, at) => firstEvent[lane[at]] + one),
  };
}
