/** The largest changes of a comparison, beside the graph. Pure. */
import { differenceText } from "../../src/model/differences";
import { NONE } from "../../src/protocol/superGraph";
import type { Aside } from "../kit/aside";
import { plural, visible } from "../shared/text";
import type { Graph } from "./graph";

/** Rows of the list; all are in the table. */
const MOST = 10;

/** The ten largest that count as changed, by |difference| of their exclusive, and how many differ by less; undefined where nothing is compared. */
export function aside({ changes, unit }: Graph): Aside | undefined {
  if (!changes) return undefined;
  const { rows, changed, from } = changes;
  const differing = rows.filter(({ baseline, candidate }) => (baseline ?? 0) !== (candidate ?? 0));
  if (differing.length === 0) return { title: "nothing differs", items: [] };
  const least = `${Number((100 * from).toPrecision(3))}\u00a0%`;
  const below = differing.length - changed;
  // Of functions: a line of one that is below may have changed by more.
  const many = changed === 0 ? "no function" : plural(changed, "function");
  return {
    // One line in 264 pixels.
    title: `${many} changed > ${least}${below > 0 ? `, ${below.toLocaleString("en")} less` : ""}`,
    items: differing
      .slice(0, Math.min(MOST, changed))
      .map(({ name, shown = name, baseline, candidate, place, bar }) => ({
        name: visible(shown),
        ...(shown === name ? {} : { whole: visible(name) }),
        number: differenceText(baseline, candidate, unit),
        ...(place === undefined ? {} : { note: visible(place) }),
        ...(bar === NONE ? {} : { mark: bar }),
      })),
  };
}
