/** Runtime distribution: a histogram over call sites, runs, or ranks of runs, with shadows to a line of them, and what is the target's. Pure. */
import { FIRST_MEMBER } from "../../src/protocol/histogram";
import type { DistributionContent } from "../../src/protocol/ensembleRuns";
import { binFacts, factsOf, limits, summary, title } from "../kit/bins/describe";
import { draw as drawBins, type HistogramScene } from "../kit/bins/drawing";
import { binLegend, binTable, memberTable } from "../kit/bins/tables";
import { signLegend } from "../kit/legend";
import { memberName } from "../kit/memberLine";
import type { DrawView, Fact, Shape } from "../kit/stage/scene";
import { numberColumn } from "../kit/table/columns";
import { visible } from "../shared/text";
import type { RunsViewPage } from "./view";

export const distributionPage: RunsViewPage<DistributionContent> = {
  draw,
  tables: ({ histogram, target }) => [
    binTable(histogram, target ? [numberColumn<number>("target's", (bin) => target.bins[bin])] : []),
    memberTable(histogram),
  ],
  legend: ({ histogram, target }, theme) => [
    ...binLegend(histogram, theme),
    ...(target ? [signLegend(theme, { fill: theme.link }, `target ${visible(target.name)}`)] : []),
  ],
  hint: "double click: hottest line",
  summary: ({ histogram }) => summary(histogram, undefined),
  name: ({ histogram }) => title(histogram),
  nouns: ["bin", "bins"],
  named: ({ histogram }) => [
    { first: 0, names: Array.from(histogram.counts, (_, bin) => limits(histogram, bin)) },
    { first: FIRST_MEMBER, names: histogram.line.keys.map((_, at) => memberName(histogram.line, at)) },
  ],
  firstRun: ({ counted }) => (counted === "callSites" ? undefined : FIRST_MEMBER),
  chosenBy({ histogram: { binOf } }, marks) {
    const members = [...binOf.keys()].filter((at) => marks.has(binOf[at]) || marks.has(FIRST_MEMBER + at));
    return members.map((at) => FIRST_MEMBER + at);
  },
  chosenWith({ counted, histogram: { binOf, counts } }, marks) {
    if (counted === "callSites") return [];
    const left = counts.slice();
    binOf.forEach((bin, at) => (left[bin] -= bin >= 0 && marks.has(FIRST_MEMBER + at) ? 1 : 0));
    return [...counts.keys()].filter((bin) => counts[bin] > 0 && left[bin] === 0);
  },
  facts: (content, mark) => facts(content, mark),
};

function draw({ histogram, target }: DistributionContent, view: DrawView): HistogramScene {
  const scene = drawBins(histogram, view);
  if (!target) return scene;
  const { theme } = view;
  const most = histogram.counts.reduce((largest, count) => Math.max(largest, count), 1);
  const tallest = scene.bins.reduce((height, box) => Math.max(height, box.height), 0);
  // Within its bin, as high as it is many; those of call sites, which stand elsewhere in the target, beside the bin's.
  const inside = scene.bins.flatMap((bin, at): Shape[] => {
    const count = target.bins[at];
    if (count === 0) return [];
    const height = Math.max(3, (tallest * count) / most);
    const width = Math.max(2, Math.min(bin.width, bin.width / 3));
    const box = { x: bin.x, y: bin.y + bin.height - height, width, height };
    return [{ kind: "box", box, fill: theme.link, of: at }];
  });
  const step = scene.line.width / Math.max(1, histogram.line.keys.length);
  const onLine = Array.from(target.line, (place): Shape => {
    const box = { x: scene.line.x + place * step, y: scene.line.y - 4, width: Math.max(1, step), height: 3 };
    return { kind: "box", box, fill: theme.link, of: FIRST_MEMBER + place };
  });
  return { ...scene, above: [...inside, ...onLine, ...(scene.above ?? [])] };
}

function facts({ histogram, target }: DistributionContent, mark: number): Fact[] {
  if (mark >= FIRST_MEMBER) return factsOf(histogram, mark - FIRST_MEMBER);
  const ofTarget = target?.bins[mark] ?? 0;
  return [
    ...binFacts(histogram, mark),
    ...(target ? [[`of ${visible(target.name).slice(0, 60)}`, ofTarget.toLocaleString("en")] as const] : []),
  ];
}
