import { expect, it } from "vitest";
import { runTotals } from "../../../src/engine/dataSets/runTotals";
import { Graphs } from "../../../src/engine/graphs/graphs";
import { SingleSubject } from "../../../src/engine/graphs/graphSubject";
import { documentCosts, lineDetails } from "../../../src/engine/lines/documents";
import type { Links } from "../../../src/engine/lines/links";
import type { Placed } from "../../../src/engine/lines/placement";
import type { OpenDataSet } from "../../../src/engine/dataSets/openDataSet";
import { quietTask } from "../../../src/model/task";
import { seeds } from "../randomCases";
import { randomRecording } from "./randomRecording";
import { type Cost, openRecording } from "./recordings";

const scope = { dataSet: 1, metric: 0, over: "mean" } as const;
const document = { file: "/w/a.c" };

/** Every function on a line of its own, that of its number. */
function linksOf(open: OpenDataSet): Links {
  const here = Array.from({ length: open.functions.size }, (_, id): Placed => {
    const contexts = [...open.functions.ofContext].flatMap((own, context) => (own === id ? [context] : []));
    const link = { places: [{ file: document.file, line: id + 1 }], rule: "definition", reason: "", considered: [] };
    return { line: id + 1, contexts: Int32Array.from(contexts), link: link as unknown as Placed["link"] };
  });
  const placed = { here, calls: [], drift: { newerThanRecording: false, lostLines: 0, movedLines: 0 } };
  return { placedIn: async () => placed, notes: () => [] } as unknown as Links;
}

/** The largest over the mean of the costs that count, by rank; undefined where the mean is not positive or there is one rank. */
function naive(costs: readonly Cost[], counts: (path: readonly string[]) => boolean): number | undefined {
  const ranks = [...new Set(costs.map(([, rank]) => rank))].filter((rank) => rank >= 0);
  const sums = ranks.map((one) =>
    costs.reduce((all, [path, rank, value]) => (rank === one && counts(path as string[]) ? all + value : all), 0),
  );
  const whole = sums.reduce((all, value) => all + value, 0);
  return ranks.length > 1 && whole > 0 ? (Math.max(...sums) * ranks.length) / whole : undefined;
}

it.each([[[-1, 0, 1, 2]], [[0, 1]], [[-1, 3]], [[0, 1, 2, 3, 4]]])(
  "is max / mean of the inclusive in a CodeLens, a hover, a bar and the recording's totals (ranks %j)",
  async (ranks) => {
    for (const seed of seeds(100)) {
      const { costs, open } = randomRecording(seed, ranks);
      const links = linksOf(open);
      const { functions } = await documentCosts(open, links, scope, document, quietTask);
      const graphs = new Graphs(new SingleSubject(open, links));
      const query = { scope, filter: 0, groupBy: "function", barsOnly: true } as const;
      const { bars } = await graphs.superGraph(query, quietTask);
      const histograms = await graphs.histograms(query, { of: "exclusive", by: "rank", bins: 4 }, quietTask);
      for (const lens of functions) {
        const expected = naive(costs, (path) => path.includes(lens.name));
        const close = expected === undefined ? undefined : (expect.closeTo(expected, 9) as number);
        expect(lens.imbalance, `${seed} ${lens.name}`).toEqual(close);
        const [hover] = await lineDetails(open, links, scope, document, lens.line, quietTask);
        expect(hover.imbalance, `${seed} ${lens.name}`).toEqual(close);
        const own = bars.flatMap(({ group }, at) => (group === lens.name ? [at] : []));
        if (own.length > 1) continue;
        expect(histograms.bars[own[0]].imbalance, `${seed} ${lens.name}`).toEqual(close ?? NaN);
      }
      const all = naive(costs, () => true);
      expect(runTotals(open, scope).spread?.imbalance).toEqual(all === undefined ? undefined : expect.closeTo(all, 9));
    }
  },
);

it("of a line is that of its function, and the line's ranks are those of the line", async () => {
  const line = { name: "", kind: "line", file: "/w/a.c", line: 12 } as const;
  const { open, contextOf } = openRecording([
    [["main"], 0, 3],
    [["main"], 1, 1],
    [["main", line], 1, 1],
  ]);
  const contexts = Int32Array.of(contextOf(["main", line]));
  const link = { places: [{ file: document.file, line: 12 }], rule: "recorded-line", reason: "", considered: [] };
  const placed = { here: [{ line: 12, contexts, link }], calls: [], drift: undefined };
  const links = { placedIn: async () => placed } as unknown as Links;
  const [hover] = await lineDetails(open, links, scope, document, 12, quietTask);
  expect(hover).toMatchObject({ exclusive: 0.5, imbalance: 3 / 2.5, overRanks: { maximum: 1, mean: 0.5 } });
});

it("is none where the mean is negative", async () => {
  const { open } = openRecording([
    [["main"], 0, -3],
    [["main"], 1, 1],
  ]);
  const { functions } = await documentCosts(open, linksOf(open), scope, document, quietTask);
  expect(functions[0].imbalance).toBeUndefined();
});
