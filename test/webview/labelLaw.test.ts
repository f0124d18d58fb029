import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { isFull, seeds } from "../unit/randomCases";
import { type LaidOutGraph, barLabel, isLaidOut, withPart } from "../../webviews/superGraph/graph";
import { draw } from "../../webviews/superGraph/scene";
import { plainTheme } from "./kit/plainTheme";
import { recordings } from "../recordings";
import { faultsOf, fonts, orderOf, writtenIn } from "./labelLaw";
import { graphByChance } from "./graphByChance";
import { firstPicture, layoutOf, type Sample, sampleGraph, shownOf } from "./superGraphSamples";

vi.mock("vscode", () => import("./fakeVsCode"));

/** The drawing of a panel of 600 × 720 and of 1400 × 660: without toolbar, context and legend. */
const PANELS = [
  { width: 600, height: 644 },
  { width: 1400, height: 584 },
];
const shared = recordings();
const cases = path.join(shared ?? "", "first/cases");
/** Bars without a name at 600 pixels in the mock-ups' font, at most. */
const RECORDINGS: Readonly<Record<string, number>> = {
  "muscle-dwarf.perf.txt.gz": 0,
  "sqlite.callgrind.out.gz": 0,
  "zstd.callgrind.out.gz": 0,
  "bc.callgrind.out.gz": 0,
  "perl.callgrind.out.gz": 8,
  "omp-fp.perf.txt.gz": 0,
  ...(isFull ? { "cc1plus.callgrind.out.gz": 8 } : {}),
};

function laidOut({ shown }: Sample, area: { width: number; height: number }): LaidOutGraph {
  const graph = withPart(shown.content, layoutOf(shown, area));
  if (!graph || !isLaidOut(graph)) throw new Error("no layout");
  return graph;
}

/** What breaks the law in a panel, and the bars that have no name there. */
function lookedAt(sample: Sample, area: { width: number; height: number }, measure: (typeof fonts)["usual"]) {
  const graph = laidOut(sample, area);
  const scene = draw(graph, { ...area, theme: plainTheme, measure });
  const { order, hottest } = orderOf(graph, scene, graph.first && [...graph.first.names]);
  const nameOf = (bar: number) => barLabel(graph, bar);
  const named = new Set(writtenIn(scene, measure).flatMap(({ of, size }) => (size === 12 ? [of] : [])));
  const unnamed = order.filter((bar) => !named.has(bar)).map(nameOf);
  return { faults: faultsOf(scene, { ...area, measure }, order, hottest, nameOf), unnamed };
}

describe.skipIf(!fs.existsSync(cases))("names in the first picture of a recording", () => {
  it.each(Object.entries(RECORDINGS))(
    "%s: the law of labels holds, at 600 and 1400 pixels",
    async (file, most) => {
      const sample = await firstPicture(path.join(cases, file), PANELS[0]);
      for (const area of PANELS)
        for (const font of ["usual", "wide"] as const) {
          const { faults, unnamed } = lookedAt(sample, area, fonts[font]);
          if (process.env.SHOW) console.log(file, area.width, font, sample.graph.bars.length, unnamed);
          expect(faults, `${area.width} pixels, ${font}`).toEqual([]);
          // The mock-ups' figures: all of them at 1400 pixels.
          if (font === "usual")
            expect(unnamed.length, `${area.width}`).toBeLessThanOrEqual(area.width < 1400 ? most : 0);
        }
    },
    60_000,
  );
});

it("names in any graph: the law of labels holds", async () => {
  const sample = await sampleGraph({ state: { histograms: "off" } });
  for (const seed of seeds(200)) {
    const graph = graphByChance(seed, 5 + (seed % 26), seed % 3 === 0 ? 60 : 25);
    const one = { ...sample, graph, shown: shownOf(graph, sample) };
    for (const area of PANELS)
      expect(lookedAt(one, area, fonts.usual).faults, `seed ${seed}, ${area.width} pixels`).toEqual([]);
  }
});
