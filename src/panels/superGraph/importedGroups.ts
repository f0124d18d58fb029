/** What "Import Groups…" says of a file. Pure. */
import type { GroupFile } from "../../engine/graphs/groupFile";
import { counted } from "../../model/texts";

/** Sentences of what is not taken; the log has all of them. */
const MOST_SAID = 3;

/** What was taken and what not, for people. */
export function importedText(name: string, { groups, notTaken }: GroupFile, settings: string): string {
  const lists = Object.values(groups);
  const patterns = lists.reduce((sum, list) => sum + list.length, 0);
  const taken = `${counted(lists.length, "group")} with ${counted(patterns, "name or pattern", "names or patterns")}`;
  const more = notTaken.length > MOST_SAID ? ` And ${notTaken.length - MOST_SAID} more, see the log.` : "";
  const left = notTaken.length === 0 ? "" : ` Not taken: ${notTaken.slice(0, MOST_SAID).join(" ")}${more}`;
  return `${taken} of ${name} are now in the ${settings} settings.${left}`;
}

/** What a graph would start with, as the file says. */
export function startText({ groupBy, filter }: Pick<GroupFile, "groupBy" | "filter">): string {
  const by = groupBy === "function" ? "Group by Function" : "Group by Them";
  return filter === undefined ? by : `${by}, Filter ${filter} %`;
}
