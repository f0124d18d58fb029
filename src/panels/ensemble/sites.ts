/** Call sites beside the drawing: a box plot per function over the values of runs and ranks that stay (semantics 10, Box plot). */
import type { CallSite } from "../../engine/api";
import { placeText } from "../../model/placeText";
import { shownOf } from "../../model/shortName";
import type { Task } from "../../model/task";
import { type EnsembleSites, SITE_LIMIT } from "../../protocol/ensemble";
import { cutToFit } from "../shared";
import { targetOf } from "./beside";
import { type EnsembleView, graphQueryOf } from "./query";
import type { ShownEnsemble } from "./shown";

/** Rings of one function that are drawn. */
const MOST_RINGS = 40;
/** Characters of all names. */
const MOST_NAMES = 20_000;

/** What was sent of each answer: marks name these. */
const sent = new WeakMap<ShownEnsemble, readonly CallSite[]>();

/** Those with the largest mean; none where they are not wanted. */
export async function askSites(shown: ShownEnsemble, view: EnsembleView, task: Task): Promise<EnsembleSites> {
  if (!view.state.sites) return sitesPart([], shown);
  const target = view.state.mode === "target" ? targetOf(shown.runs, view) : undefined;
  const { scope } = graphQueryOf(view);
  const query = { scope, value: "exclusive", linked: SITE_LIMIT, ...(target === undefined ? {} : { target }) } as const;
  const all = await view.session.engine.ensembleCallSites(query, task);
  const sites = all.slice(0, SITE_LIMIT);
  sent.set(shown, sites);
  return { ...sitesPart(sites, shown, target), of: all.length };
}

/** Of thousands of runs they take seconds. */
export function pendingSites(shown: ShownEnsemble, { state }: EnsembleView) {
  const failed = sitesPart([], shown);
  return state.sites ? { meanwhile: { ...failed, isPending: true }, failed } : undefined;
}

/** The function that a row is. */
export function siteOf(shown: ShownEnsemble, row: number): CallSite | undefined {
  return sent.get(shown)?.at(row);
}

function sitesPart(sites: readonly CallSite[], { staying }: ShownEnsemble, target?: number): EnsembleSites {
  const column = (value: (site: CallSite) => number) => Float64Array.from(sites, value);
  const rings = sites.map(({ plot: { outliers } }) => evenly(outliers));
  const firstOutlier = new Int32Array(sites.length + 1);
  rings.forEach(({ length }, at) => (firstOutlier[at + 1] = firstOutlier[at] + length));
  return {
    kind: "sites",
    of: sites.length,
    runs: staying.graph.runs.length,
    hasTarget: target !== undefined,
    isPending: false,
    names: cutToFit(sites.map(shownOf), MOST_NAMES),
    places: cutToFit(
      sites.map(({ link }) => (link && placeText(link)) ?? ""),
      MOST_NAMES,
    ),
    inRuns: Int32Array.from(sites, (site) => site.runs),
    low: column(({ plot }) => plot.whiskers[0]),
    q1: column(({ plot }) => plot.q1),
    median: column(({ plot }) => plot.median),
    q3: column(({ plot }) => plot.q3),
    high: column(({ plot }) => plot.whiskers[1]),
    mean: column(({ plot }) => plot.mean),
    target: column((site) => site.target?.mean ?? NaN),
    firstOutlier,
    outlying: Float64Array.from(rings.flatMap((some) => [...some])),
  };
}

/** As many as are drawn, from the least to the largest. */
function evenly(values: Float64Array): Float64Array {
  if (values.length <= MOST_RINGS) return values;
  const last = values.length - 1;
  return Float64Array.from({ length: MOST_RINGS }, (_, at) => values[Math.round((at * last) / (MOST_RINGS - 1))]);
}
