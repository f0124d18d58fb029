/** What comes after the content of a super graph: where everything is, histograms, what differs, how bars look. */
import type { ComparedRow, Scope } from "../../engine/api";
import { chosenText, unitName } from "../../model/members";
import { imbalanceWordings } from "../../model/imbalance";
import { fileAndLine, fileName, placeText } from "../../model/placeText";
import { MINI_BINS, NONE, type SuperGraphPart, type SuperGraphState } from "../../protocol/superGraph";
import { currentSettings } from "../../session/sourceFeed";
import type { LaterPart, Subject } from "../kit/definition";
import { shorten } from "../../model/texts";
import { layOut } from "./askedGraphs";
import { firstOf } from "./content";
import { lastNames, layoutPart, layoutSize, unseenFlows } from "./layoutPart";
import type { ShownGraphs } from "./shownGraphs";
import { colourOf, type GraphView, histogramsIn, planOf } from "./graphView";

export const laterLayout: LaterPart<SuperGraphState, ShownGraphs, SuperGraphPart> = {
  depends: ({ size, state }) => [size, state.broken === true],
  async ask(shown, { session, size, state }, task) {
    const { asked, near } = shown;
    const room = { ...layoutSize(size, lastNames(asked)), ...(near ? { near } : {}) };
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
      kind: "histograms",
      of,
      member: unitName(member, 1),
      members: shorten([...members].join("; "), 60),
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
  async ask(shown, { session: { engine } }, task) {
    const { graphs, plan } = shown.asked;
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
        const { name, shown, baseline, candidate } = row;
        const place = placeOf(row);
        const bar = at < PLACED_CHANGES ? await barOf(row) : NONE;
        return {
          name: shorten(name, 1000),
          baseline,
          candidate,
          bar,
          ...(shown === undefined ? {} : { shown: shorten(shown, 200) }),
          ...(place === undefined ? {} : { place: shorten(place, 200) }),
        };
      }),
    );
    const [first] = largest.rows;
    const changed = first?.candidateFunction ?? first?.baselineFunction;
    if (changed)
      shown.lead = functionOf(first.name, changed.function, first.candidateFunction ? after.scope : before.scope);
    return { kind: "changes", from, changed: largest.changed, rows };
  },
};

/** Characters of the imbalance of computing. */
const MAX_IMBALANCE = 300;

/** Bars are groups, which may hold the hottest function unseen: the page names it. */
export const laterHottest: LaterPart<SuperGraphState, ShownGraphs, SuperGraphPart> = {
  depends: (view) => (planOf(view).pair === undefined ? ["exclusive", currentSettings().categories] : undefined),
  async ask(shown, { session: { engine } }, task) {
    const [{ query }] = shown.asked.graphs;
    const [row] = await engine.hotFunctions({ scope: query.scope, by: "exclusive", limit: 1 }, task);
    if (!row) return { kind: "hottest", name: "", exclusive: 0, imbalance: [] };
    shown.lead = functionOf(row.name, row.function, query.scope);
    const { categories } = currentSettings();
    const imbalance = await engine.computingImbalance({ scope: query.scope, categories }, task);
    return {
      kind: "hottest",
      name: shorten(row.name, 1000),
      exclusive: row.exclusive,
      imbalance: imbalance ? imbalanceWordings(imbalance).map((text) => shorten(text, MAX_IMBALANCE)) : [],
      ...(row.shown === undefined ? {} : { shown: shorten(row.shown, 200) }),
    };
  },
};

/** As the command line says it: where it is here, else where it was recorded. */
function placeOf({ link, recorded }: ComparedRow): string | undefined {
  const here = link && placeText(link);
  if (here !== undefined || !recorded) return here;
  return recorded.line === undefined ? fileName(recorded.file) : fileAndLine(recorded.file, recorded.line);
}

function functionOf(name: string, id: number, scope: Scope): Subject {
  return { target: { kind: "function", function: id }, name, scope };
}

type HistogramNumbers = Awaited<ReturnType<GraphView["session"]["engine"]["barHistograms"]>>["bars"][number];

export const laterLook: LaterPart<SuperGraphState, ShownGraphs, SuperGraphPart> = {
  depends: (view) => [colourOf(view), histogramsIn(view)],
  ask: (_, view) => ({ kind: "look", colour: colourOf(view), histograms: histogramsIn(view)?.of ?? "off" }),
};
