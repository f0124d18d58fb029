/** What comes after the content of a super graph: where everything is, histograms, what differs, how bars look. */
import type { ComparedRow } from "../../engine/api";
import { chosenText, unitName } from "../../model/members";
import { placeText } from "../../model/placeText";
import { MINI_BINS, NONE, type SuperGraphPart, type SuperGraphState } from "../../protocol/superGraph";
import { currentSettings } from "../../session/sourceFeed";
import type { LaterPart } from "../kit/definition";
import { shorten } from "../../model/texts";
import { layOut } from "./askedGraphs";
import { firstOf } from "./content";
import { layoutPart, layoutSize, unseenFlows } from "./layoutPart";
import type { ShownGraphs } from "./shownGraphs";
import { colourOf, type GraphView, histogramsIn, planOf } from "./graphView";

export const laterLayout: LaterPart<SuperGraphState, ShownGraphs, SuperGraphPart> = {
  depends: ({ size, state }) => [size, state.broken === true],
  async ask(shown, { session, size, state }, task) {
    const { asked, near } = shown;
    const room = { ...layoutSize(size), ...(near ? { near } : {}) };
    const layout = await layOut(session.engine, asked, room, state.broken);
    // Of two sizes the one that is on screen is the last.
    task.check();
    shown.drawn = { layout, notes: unseenFlows(asked, layout) };
    return layoutPart(asked, layout);
  },
};

export const laterHistograms: LaterPart<SuperGraphState, ShownGraphs, SuperGraphPart> = {
  depends: histogramsIn,
  async ask({ asked: { plan, graphs } }, view, task) {
    const { of, by } = histogramsIn(view) ?? { of: "exclusive", by: "rank" };
    const bars: { numbers: HistogramNumbers; slowest: string; counting: number }[] = [];
    const members = new Set<string>();
    let member = by;
    const values: Float64Array[] = [];
    for (const { query } of plan.merged ? graphs.slice(-1) : graphs) {
      const answer = await view.session.engine.barHistograms({ query, of, by, bins: MINI_BINS }, task);
      const { counting } = answer;
      // Where one of two recordings has no members there is nothing to compare them by.
      if (answer.bars.length === 0) {
        bars.length = values.length = 0;
        break;
      }
      members.add(chosenText(answer));
      member = answer.by;
      values.push(answer.values);
      // Two halves may have other members: where one has too many for a column each, both have bins.
      if (bars.length > 0 && bars[0].counting !== counting) values.length = 0;
      for (const numbers of answer.bars)
        bars.push({ numbers, slowest: shorten(answer.members[numbers.slowest], 60), counting });
    }
    const column = (value: (numbers: HistogramNumbers) => number) =>
      Float64Array.from(bars, ({ numbers }) => value(numbers));
    return {
      ...{ kind: "histograms", of, member: unitName(member, 1), members: shorten([...members].join("; "), 60) },
      minimum: column(({ minimum }) => minimum),
      mean: column(({ mean }) => mean),
      maximum: column(({ maximum }) => maximum),
      imbalance: column(({ imbalance }) => (Number.isFinite(imbalance) ? imbalance : -1)),
      slowest: bars.map(({ slowest }) => slowest),
      first: firstOf(bars.map(({ numbers }) => numbers.counts)),
      counts: Int32Array.from(bars.flatMap(({ numbers }) => [...numbers.counts])),
      counting: Int32Array.from(bars, ({ counting }) => counting),
      values: Float64Array.from(values.flatMap((own) => [...own])),
    };
  },
};

/** Functions that are listed, and of how many of them place and bar are looked up. */
const MOST_CHANGES = 500;
const PLACED_CHANGES = 10;

export const laterChanges: LaterPart<SuperGraphState, ShownGraphs, SuperGraphPart> = {
  depends: (view) => (planOf(view).pair === "runs" ? { from: currentSettings().changedShare } : undefined),
  async ask({ asked: { graphs, plan } }, { session: { engine } }, task) {
    const [before, after] = graphs.map(({ query }) => query);
    const sides = { baseline: [before.scope], candidate: [after.scope], renamed: before.renamed };
    const from = currentSettings().changedShare;
    const largest = await engine.comparison(
      { ...sides, value: "exclusive", limit: MOST_CHANGES, linked: PLACED_CHANGES, changedFrom: from },
      task,
    );
    const barOf = async ({ candidateFunction, baselineFunction }: ComparedRow) => {
      const of = candidateFunction ?? baselineFunction;
      if (!of) return NONE;
      const query = candidateFunction ? after : before;
      const target = { kind: "function", function: of.function } as const;
      const id = await engine.barOf({ query, target }, task);
      const at = graphs[0].graph.bars.findIndex((bar) => bar.id === id);
      return at < 0 || plan.merged ? at : at + graphs[0].graph.bars.length;
    };
    const rows = await Promise.all(
      largest.rows.map(async (row, at) => {
        const { name, shown, baseline, candidate, link } = row;
        const place = link && placeText(link);
        const bar = at < PLACED_CHANGES ? await barOf(row) : NONE;
        return {
          ...{ name: shorten(name, 1000), baseline, candidate, bar },
          ...(shown === undefined ? {} : { shown: shorten(shown, 200) }),
          ...(place === undefined ? {} : { place: shorten(place, 200) }),
        };
      }),
    );
    return { kind: "changes", from, changed: largest.changed, rows };
  },
};

type HistogramNumbers = Awaited<ReturnType<GraphView["session"]["engine"]["barHistograms"]>>["bars"][number];

export const laterLook: LaterPart<SuperGraphState, ShownGraphs, SuperGraphPart> = {
  depends: (view) => [colourOf(view), histogramsIn(view)],
  ask: (_, view) => ({ kind: "look", colour: colourOf(view), histograms: histogramsIn(view)?.of ?? "off" }),
};
