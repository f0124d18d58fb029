import { describe, expect, it, vi } from "vitest";
import type { WholeGraph } from "../wholeGraph";
import { sampleGraph } from "./miniheatGraph";
import { useSuperGraph } from "./useSuperGraph";
import { drawn } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();

/** Longer than any transition may take. */
const MOST_MS = 600;

describe("one graph after another", () => {
  /** The sample's graph, and the same with MPI split into two parts, made from it. */
  async function splitOf(size: { width: number; height: number }): Promise<WholeGraph> {
    const { message, graph } = await sampleGraph(size, {
      operations: [{ kind: "split-by-caller", target: { group: "MPI" }, by: "function" }],
    });
    const before = await sampleGraph(size);
    const from = graph.bars.map(({ group }) =>
      before.graph.bars.findIndex((old) => old.group === (group.startsWith("MPI from") ? "MPI" : group)),
    );
    return { ...message, revision: 2, transition: { revision: 1, from } };
  }

  /** Samples, frame by frame until it has come to rest: opacity of flows and labels, and left edges of bars. */
  function watch(): Promise<{ milliseconds: number; flows: number; left: number[] }[]> {
    return view.panel.page.evaluate(
      (most) =>
        new Promise((resolve) => {
          const frames: { milliseconds: number; flows: number; left: number[] }[] = [];
          const begun = performance.now();
          const look = () => {
            const bars = [...document.querySelectorAll<SVGGraphicsElement>("svg.graph .bar")];
            const flows = Number(document.querySelector("svg.graph .flows")?.getAttribute("opacity") ?? 1);
            frames.push({
              milliseconds: performance.now() - begun,
              flows,
              left: bars.map((one) => one.getBBox().y),
            });
            if (performance.now() - begun < 3 * most) requestAnimationFrame(look);
            else resolve(frames);
          };
          requestAnimationFrame(look);
        }),
      MOST_MS,
    );
  }

  it("fades flows, moves bars, brings flows back, and keeps the focus", async () => {
    const size = await view.open();
    await view.sendGraph((await sampleGraph(size)).message);
    await view.bar("MPI").waitFor();
    await drawn(view.panel.page);
    await view.bar("halo.cpp").focus();
    const split = await splitOf(size);
    const watched = watch();
    await view.sendGraph(split);
    const frames = await watched;
    const end = frames.at(-1);
    const moving = frames.filter(({ flows }) => flows < 1);
    expect(moving.length).toBeGreaterThan(2);
    const took = moving[moving.length - 1].milliseconds - moving[0].milliseconds;
    expect(took).toBeLessThan(MOST_MS + 200);
    // While bars move there is no flow.
    for (const { flows, left } of frames)
      if (left.length === end?.left.length && JSON.stringify(left) !== JSON.stringify(end.left)) expect(flows).toBe(0);
    expect(end?.flows).toBe(1);
    expect(await view.panel.page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(
      /^halo.cpp,/,
    );
    expect(await view.panel.page.locator("svg.graph .before > *").count()).toBe(0);
    await view.bar("MPI from halo_transfer").waitFor();
  });

  it("fades flows and labels out as they were", async () => {
    const size = await view.open();
    await view.sendGraph((await sampleGraph(size)).message);
    await view.bar("MPI").waitFor();
    await drawn(view.panel.page);
    const looks = (layers: string) =>
      view.panel.page.evaluate((marks) => {
        const look = (mark: Element) => {
          const { fill, stroke, strokeWidth, fontSize, fontFamily, fontWeight } = getComputedStyle(mark);
          const text = mark instanceof SVGTextElement;
          return JSON.stringify(text ? { fill, fontSize, fontFamily, fontWeight } : { fill, stroke, strokeWidth });
        };
        return new Promise<string[]>((resolve) => {
          const seek = () => {
            const found = [...document.querySelectorAll(marks)];
            if (found.length > 0) resolve(found.map(look).sort());
            else requestAnimationFrame(seek);
          };
          seek();
        });
      }, layers);
    const before = await looks("svg.graph :is(.flows path, .labels text)");
    const split = await splitOf(size);
    const fading = looks("svg.graph .before :is(path, text)");
    await view.sendGraph(split);
    expect(await fading).toEqual(before);
  });

  it("is there at once where less motion is wanted, and where the graph before is another one", async () => {
    for (const reducedMotion of [true, false]) {
      const size = await view.open({ reducedMotion });
      await view.sendGraph((await sampleGraph(size)).message);
      await view.bar("MPI").waitFor();
      await drawn(view.panel.page);
      const split = await splitOf(size);
      const watched = watch();
      await view.sendGraph(
        reducedMotion ? split : { ...split, transition: { revision: 77, from: split.transition?.from ?? [] } },
      );
      for (const { flows } of await watched) expect(flows).toBe(1);
      await view.bar("MPI from halo_transfer").waitFor();
    }
  });

  it("looks and reads as if nothing had been there before", async () => {
    const look = async () => {
      const { page } = view.panel;
      await drawn(page);
      const names = page.locator("svg.graph [role=button]");
      return {
        picture: await page.locator(".stage").screenshot(),
        names: await names.evaluateAll((marks) => marks.map((mark) => mark.getAttribute("aria-label"))),
        stops: await page.locator("svg.graph [tabindex='0']").count(),
      };
    };
    const size = await view.open({ reducedMotion: true });
    const { message } = await sampleGraph(size, { groupBy: "function" });
    // More bars, hatched ones, others found, one selected and one dimmed.
    const others = [
      (await sampleGraph(size, { groupBy: "none" })).message,
      (await sampleGraph(size, { filter: 5 })).message,
    ];
    await view.sendGraph(message);
    const alone = await look();
    await view.open({ reducedMotion: true });
    for (const [at, other] of others.entries()) {
      await view.sendGraph({ ...other, revision: 10 + at });
      await view.panel.page.getByRole("textbox", { name: "Search bars" }).fill("halo");
      await view.panel.send({ type: "selection", revision: 10 + at, bar: 1 });
      await drawn(view.panel.page);
    }
    await view.panel.page.getByRole("textbox", { name: "Search bars" }).fill("");
    await view.sendGraph(message);
    const after = await look();
    expect(after.names).toEqual(alone.names);
    expect(after.stops).toBe(alone.stops);
    expect(after.picture.equals(alone.picture)).toBe(true);
  });

  it("gives way to the next answer", async () => {
    const size = await view.open();
    const first = (await sampleGraph(size)).message;
    await view.sendGraph(first);
    await view.bar("MPI").waitFor();
    await drawn(view.panel.page);
    const split = await splitOf(size);
    await view.sendGraph(split);
    const back = split.bars.map(({ group }) => (group.startsWith("MPI from") ? "MPI" : group));
    const from = first.bars.map(({ group }) => back.indexOf(group));
    await view.sendGraph({ ...first, revision: 3, transition: { revision: 2, from } });
    const frames = await watch();
    expect(frames.at(-1)?.left).toHaveLength(first.bars.length);
    await view.bar("MPI").click();
    expect((await view.sent()).filter(({ type }) => type === "select")).toMatchObject([{ revision: 3 }]);
  });
});
