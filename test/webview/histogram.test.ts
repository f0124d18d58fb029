import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { chosenRanks } from "../../src/model/members";
import { formatValue } from "../../src/model/units";
import { quietTask } from "../../src/model/task";
import { histogram } from "../../src/panels/histogram/definition";
import { binHeat, draw as drawBins } from "../../webviews/kit/bins/drawing";
import { draw } from "../../webviews/histogram/drawing";
import { limits, summary, textOf, title } from "../../webviews/kit/bins/describe";
import type { HistogramContent } from "../../src/protocol/histogram";
import { pinSelection } from "../../src/panels/kit/pins";
import type { DrawView, Shape } from "../../webviews/kit/stage/scene";
import { casesOf } from "../unit/randomCases";
import { HOSTILE_NAME, panelLaws } from "./kit/panelLaws";
import { plainTheme } from "./kit/plainTheme";
import { functionNamed, sampleWorld, viewOf } from "./kit/samples";
import { distributionOf } from "./rankDistribution";

vi.mock("vscode", () => import("./fakeVsCode"));

panelLaws({
  definition: histogram,
  draw,
  async samples() {
    const world = await sampleWorld();
    const view = viewOf(world, histogram.start);
    const { scope, engine } = world;
    const target = await functionNamed(world, "updateConductivity");
    const measured = await engine.distribution({
      scope,
      by: "rank",
      target,
      value: "exclusive",
      bins: 20,
      order: "id",
    });
    const many = Array.from({ length: 4096 }, (_, rank) => 1 + ((Math.imul(rank, 2654435761) >>> 8) % 10_000) / 10_000);
    const threads = Array.from({ length: 40 }, (_, at) => at);
    return [
      { name: "measured", view, shown: measured, chosen: chosenRanks([0, 4]) },
      { name: "33 ranks", isPictured: true, view, shown: distributionOf(many.slice(0, 33)) },
      { name: "32 ranks", isPictured: true, view, shown: distributionOf(many.slice(0, 32)) },
      {
        name: "hosts with long names",
        view,
        shown: distributionOf([3, 1, 2, 0], {
          by: "host",
          members: ["node001.cluster.example.org", "node002.cluster.example.org", "login", "node004"],
        }),
      },
      { name: "many ranks", view, shown: distributionOf(many) },
      { name: "all equal", view, shown: distributionOf([2, 2, 2]) },
      { name: "hardly different", view, shown: distributionOf([100, 100.0001, 100.0002]) },
      { name: "nothing finite", view, shown: distributionOf([NaN, Infinity]) },
      {
        name: "hostile keys",
        view: { ...view, metric: { ...view.metric, name: HOSTILE_NAME, unit: HOSTILE_NAME.slice(0, 90) } },
        shown: distributionOf(threads, { by: "thread", members: threads.map((at) => `${at}.<b>\u202e`) }),
      },
    ];
  },
});

const wide = {
  width: 1000,
  height: 500,
  theme: plainTheme,
  measure: (size: number) => (text: string) => text.length * size * 0.6,
};

function texts(content: HistogramContent, view: DrawView = wide): string[] {
  return drawBins(content, view).above.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
}

interface TextBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function textBox({ at, text, size, anchor }: Extract<Shape, { readonly kind: "text" }>): TextBox {
  const width = wide.measure(size)(text);
  const left = at.x - (anchor === "middle" ? width / 2 : anchor === "end" ? width : 0);
  return { left, right: left + width, top: at.y - size, bottom: at.y };
}

function areApart(one: TextBox, two: TextBox): boolean {
  return one.right <= two.left || two.right <= one.left || one.bottom <= two.top || two.bottom <= one.top;
}

describe("a histogram", () => {
  const view = async () => viewOf(await sampleWorld(), histogram.start);

  it("names the limits of its bins, the last with its upper edge", async () => {
    const content = histogram.content(distributionOf([0, 10]), await view());
    expect([limits(content, 0), limits(content, 19)]).toEqual(["0 s to below 500 ms", "9.50 s to 10.0 s"]);
  });

  it("has the heat of amounts from nothing on: the root of a bin's middle by the largest value", async () => {
    const content = histogram.content(distributionOf([50, 100]), await view());
    expect(binHeat(content, 19)).toBeCloseTo(Math.sqrt(98.75 / 100), 9);
    expect(binHeat(content, 0)).toBeCloseTo(Math.sqrt(51.25 / 100), 9);
  });

  it("has no choice of what changes nothing, and names the value as its legend and its axis do", async () => {
    const known = await view();
    const { scope } = known;
    const whole = [await view(), "time"] as const;
    const selection = {
      dataSet: scope.dataSet,
      target: await functionNamed(await sampleWorld(), "dot"),
      name: "dot",
      origin: "panel",
    } as const;
    const subject = pinSelection(selection, known);
    for (const [of, name] of [whole, [{ ...known, state: { ...known.state, subject } }, "exclusive time"] as const]) {
      const content = histogram.content(distributionOf([0, 10]), of);
      expect(title(content)).toBe(`${name === "time" ? "whole recording" : "dot"} · ${name} · 2 ranks`);
      expect(histogram.controls(of).some(({ id }) => id === "value")).toBe(name !== "time");
      expect(texts(content)).toEqual(expect.arrayContaining([`${name} →`, "↑ ranks"]));
    }
  });

  it("says how many each bin has, above it, where there is room", async () => {
    const content = histogram.content(distributionOf([0, 0, 0, 10]), await view());
    const above = (shown: DrawView) => {
      const drawn = drawBins(content, shown);
      return drawn.bins.map(({ x, y, width }) =>
        drawn.above.flatMap((shape) => {
          const isAbove =
            shape.kind === "text" && shape.at.x === x + width / 2 && shape.at.y < y && shape.at.y > y - 10;
          return isAbove ? [shape.text] : [];
        }),
      );
    };
    expect(above(wide)).toEqual([["3"], ...Array.from({ length: 18 }, () => []), ["1"]]);
    expect(above({ ...wide, width: 180 }).flat()).toEqual([]);
  });

  it("has a bar per member up to 32: named, largest first, as long as its value, with the mean", async () => {
    const known = await view();
    const amount = fc.integer({ min: 0, max: 4000 });
    fc.assert(
      fc.property(
        fc.array(amount, { minLength: 1, maxLength: 32 }),
        fc.constantFrom(400, 600, 1400),
        (given, width) => {
          const values = given.map((one) => one / 1000);
          const content = histogram.content(distributionOf(values), known);
          const size = { ...wide, width, height: 720 };
          const scene = draw(content, size);
          const shapes = [...scene.above];
          const sorted = [...values.keys()].sort((a, b) => values[b] - values[a] || a - b);
          expect(scene.marks.map(({ name }) => name)).toEqual(sorted.map((rank) => `rank ${rank}`));
          const words = shapes.flatMap((shape) => (shape.kind === "text" ? [shape] : []));
          const boxes = words.map((word) => textBox(word));
          for (const [at, one] of boxes.entries()) {
            expect(one.left, words[at].text).toBeGreaterThanOrEqual(0);
            expect(one.right, words[at].text).toBeLessThanOrEqual(width);
            for (const [other, two] of boxes.entries())
              if (other < at) expect(areApart(one, two), `${words[at].text} and ${words[other].text}`).toBe(true);
          }
          // Lengths are in proportion to values; the mean's line is where a bar of the mean would end.
          const bars = scene.marks.map(({ d = "" }) => /^M(.*),(.*)h(.*)v(.*)h/.exec(d)?.slice(1).map(Number) ?? []);
          const isRows = bars.length > 1 && bars[0][0] === bars[1][0];
          const lengths = bars.map(([, , across, down]) => (isRows ? across : down));
          if (!isRows) for (const [, , across] of bars) expect(across >= 14 && across <= 28).toBe(true);
          const largest = values[sorted[0]];
          if (largest > 0)
            sorted.forEach((rank, at) => {
              if (values[rank] * lengths[0] > largest)
                expect(lengths[at] / lengths[0]).toBeCloseTo(values[rank] / largest, 6);
            });
          const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
          expect(words.map(({ text }) => text)).toContain(`mean ${formatValue(mean, "s")}`);
          // Nearly equal values have as many digits as tell them apart.
          const texts = words.map(({ text }) => text);
          if (values.length * 13 <= 640) for (const value of values) expect(texts).toContain(textOf(content)(value));
        },
      ),
      { numRuns: casesOf(200) },
    );
    const counts = (many: number) => {
      const content = histogram.content(distributionOf(Array.from({ length: many }, (_, at) => at)), known);
      return draw(content, wide).marks.filter(({ id }) => id < 1000).length;
    };
    expect([counts(32), counts(33)]).toEqual([0, 20]);
  });

  it("restricts to members by their bars, of which a restriction leaves some", async () => {
    const shown = distributionOf([1, 4, 2]);
    // By value: ranks 1, 2, 0.
    expect(histogram.members?.of(shown, [1000, 1002])).toEqual({ by: "rank", members: ["1", "0"] });
    expect([...(histogram.members?.part(shown, chosenRanks([0]))?.line ?? [])]).toEqual([2]);
    const known = await view();
    expect(histogram.controls(known).map(({ id }) => id)).toEqual(["by"]);
    const many = Array.from({ length: 33 }, (_, rank) => String(rank));
    const large = { ...known, dataSet: { ...known.dataSet, units: [{ by: "rank" as const, members: many }] } };
    expect(histogram.controls(large).map(({ id }) => id)).toEqual(["by", "bins", "order"]);
  });

  it("restricts to the members of the bins that are marked, and marks what a restriction leaves", async () => {
    const shown = distributionOf([0, 10, 0, 9.9, ...new Array<number>(30).fill(5)]);
    expect(histogram.members?.of(shown, [19])).toEqual({ by: "rank", members: ["1", "3"] });
    const part = histogram.members?.part(shown, chosenRanks([0, 3]));
    expect([part?.bins[0], part?.bins[19], [...(part?.line ?? [])]]).toEqual([1, 1, [0, 3]]);
  });

  it("is asked for with the restriction, which may be of hosts among ranks", async () => {
    const known = await view();
    const chosen = chosenRanks([0]);
    const answer = await histogram.ask({ ...known, scope: { ...known.scope, chosen } }, quietTask, []);
    expect(answer.within).toEqual(chosen);
  });

  it("says what it is of as long as that has room, in a panel beside an editor too", async () => {
    const content = histogram.content(distributionOf([1, 2]), await view());
    const wordings = (subject: string | undefined) => summary({ ...content, subject }, undefined).slice(1);
    expect(wordings("dot")).toEqual(["dot · exclusive time · 2 ranks", "dot · 2 ranks", "2 ranks"]);
    expect(wordings(undefined)).toEqual(["whole recording · time · 2 ranks", "2 ranks"]);
  });

  it("says what is not in it", async () => {
    const shown = distributionOf([1, 2, NaN], { outside: 1 });
    expect(histogram.notes?.(shown, await view())).toEqual([
      "1.00 s (25.0 %) has no rank and is not in the histogram.",
      "1 rank left out: the value is not a finite number.",
    ]);
  });

  it("says why there is none where nothing is told apart", async () => {
    const known = await view();
    const alone = {
      ...known.dataSet,
      units: [],
      ranks: [],
      locationCounts: { ranks: 0, threads: 0, streams: 0 },
    };
    const nothing = { ...known, dataSet: alone };
    expect(histogram.controls(nothing)).toEqual([]);
    expect(histogram.unmeasured?.(alone)).toMatch(/^No ranks, threads/);
    expect(() => histogram.asked?.(nothing)).not.toThrow();
    expect(histogram.empty?.(nothing)?.message).toMatch(/^No ranks, threads/);
  });
});
