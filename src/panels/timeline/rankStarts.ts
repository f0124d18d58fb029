/** What is said of ranks that began at other moments. Pure. */
import { shorten } from "../../model/texts";
import { formatValue } from "../../model/units";
import type { TimelineShown } from "./shown";

/** Of one name in a sentence. */
const NAME_LENGTH = 100;
/** Ranks begin apart from this part of a stretch on: less than that is how they were started. */
const LEAST_APART = 1e-3;

/** That ranks began at other moments, where a stretch with waits has some of that; "": they did not. */
export function startsText({ waits, facts }: Pick<TimelineShown, "waits" | "facts">): string {
  if (!waits?.starts) return "";
  const { starts, range } = waits;
  const apart = starts.lastSeconds - starts.firstSeconds;
  if (!(apart >= LEAST_APART * (range.to - range.from)) || apart === 0 || range.from >= starts.lastSeconds) return "";
  const last = shorten(facts.lanes[starts.lastLane].name, NAME_LENGTH);
  return `Ranks began ${formatValue(apart, "s")} apart, ${last} last: that is in no wait.`;
}
