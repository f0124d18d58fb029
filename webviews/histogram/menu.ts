/** The context menu of a bin, or of a member: then of its bin. */
import type { HistogramMessage } from "../../src/protocol/histogram";
import type { MenuItem } from "../shared/menu";
import { type Chosen, several } from "./describe";

export interface SpotActions {
  /** Restricts to the members of these bins. */
  choose(bins: readonly number[]): void;
  toggle(bin: number): void;
  copyMembers(bin: number): void;
  open(): void;
}

/** @param bin negative: of a member that is in none */
export function spotMenu(histogram: HistogramMessage, bin: number, chosen: Chosen, actions: SpotActions): MenuItem[] {
  const { counts, nouns, members } = histogram;
  const items: MenuItem[] = [];
  const count = counts[bin] ?? 0;
  if (count > 0) {
    const others = [...counts.keys()].filter((other) => other !== bin);
    const isChosen = chosen !== undefined && chosen.bins[bin] > 0;
    items.push(
      { label: `Restrict to ${several(histogram, count)} of this bin`, run: () => actions.choose([bin]) },
      {
        label: isChosen ? "Take this bin away" : "Add this bin",
        key: "Space",
        run: () => actions.toggle(bin),
      },
      { label: `Restrict to the other ${(members - count).toLocaleString("en")}`, run: () => actions.choose(others) },
      { label: `Copy ${nouns[1]} of this bin`, run: () => actions.copyMembers(bin) },
    );
  }
  if (chosen) items.push({ label: "Remove the restriction", key: "Escape", run: () => actions.choose([]) });
  items.push({ label: "Go to hottest line", key: "Enter", run: () => actions.open() });
  return items;
}
