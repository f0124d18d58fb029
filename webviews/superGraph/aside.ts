/** The largest changes of a comparison, beside the graph. Pure. */
import { differenceText } from "../../src/model/differences";
import { NONE } from "../../src/protocol/superGraph";
import type { Aside } from "../kit/aside";
import { plural, visible } from "../shared/text";
import type { Graph } from "./graph";

/** Rows of the list; all are in the table. */
const MOST = 10;

/** The ten largest, by |difference| of their exclusive; undefined where nothing is compared. */
export function aside({ changes, unit }: Graph): Aside | undefined {
  if (!changes) return undefined;
  const { rows, changed, from } = changes;
  const least = `${Number((100 * from).toPrecision(3))} %`;
  return {
    title:
      changed === 0
        ? `nothing changed by more than ${least}`
        : `${plural(changed, "function")} changed by more than ${least}`,
    items: rows
      .filter(({ baseline, candidate }) => (baseline ?? 0) !== (candidate ?? 0))
      .slice(0, MOST)
      .map(({ name, baseline, candidate, place, bar }) => ({
        name: visible(name),
        number: differenceText(baseline, candidate, unit),
        ...(place === undefined ? {} : { note: visible(place) }),
        ...(bar === NONE ? {} : { mark: bar }),
      })),
  };
}
