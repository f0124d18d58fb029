import { describe, expect, it, vi } from "vitest";
import { type Sample, sampleGraph } from "./superGraphSamples";
import { useSuperGraph } from "./useSuperGraph";
import { drawn } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();

/** Longer than any transition may take. */
const MOST_MS = 600;

describe("one graph after another", () => {
  /** The sample's graph with MPI split into two parts, made from the one that is shown. */
  function splitOf({ shown }: Sample, revision = 1): Promise<Sample> {
    const before = { shown: { ...shown, drawn: shown.drawn }, revision };
    return sampleGraph(
      {
        operations: [{ kind: "split-by-caller", target: { group: "MPI" }, by: "function" }],
        before: [before],
      },
      size,
    );
  }

  const size = { width: 1400, height: 684 };

  /** Samples, frame by frame until it has come to rest: opacity of flows and labels, and left edges of bars. */
  function watch(): Promise<{ milliseconds: number; flows: number; left: number[] }[]> {
    return view.panel.page.evaluate(
      (most) =>
        new Promise((resolve) => {
          const frames: { milliseconds: number; flows: number; left: number[] }[] = [];
          const begun = performance.now();
          const look = () => {
            const bars = [...document.querySelectorAll<SVGGraphicsElement>('.drawing [data-key$="]"]')];
            const flows = Number(document.querySelector<HTMLElement>(".stage > .layer")?.style.opacity || 1);
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
    const sample = await view.show();
    await view.bar("halo.cpp").focus();
    const split = await splitOf(sample);
    const watched = watch();
    await view.sendGraph(split, { revision: 2 });
    const frames = await watched;
    const end = frames.at(-1);
    const moving = frames.filter(({ flows }) => flows < 1);
    expect(moving.length).toBeGreaterThan(2);
    const took = moving[moving.length - 1].milliseconds - moving[0].milliseconds;
    expect(took).toBeLessThan(MOST_MS + 200);
    // While bars move there is no flow.
    const isMoving = ({ left }: (typeof frames)[number]) =>
      left.length === end?.left.length && JSON.stringify(left) !== JSON.stringify(end.left);
    const first = frames.findIndex(({ flows }) => flows === 0);
    const last = frames.findLastIndex(({ flows }) => flows === 0);
    expect(first).toBeGreaterThan(0);
    frames.forEach((frame, at) => {
      if (isMoving(frame) && at > first) expect(at).toBeLessThanOrEqual(last);
    });
    expect(end?.flows).toBe(1);
    expect(await view.panel.page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(
      /^halo.cpp,/,
    );
    await view.bar("MPI from halo_transfer").waitFor();
  });

  it("has the focus on what was made of the bar that had it, and no tooltip opens by itself", async () => {
    const sample = await view.show();
    const { page } = view.panel;
    const tooltip = page.locator(".tooltip");
    await view.panel.send({ type: "focus" });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
    await expect.poll(focused).toMatch(/^MPI,/);
    expect(await tooltip.isVisible()).toBe(false);
    await view.bar("main.cpp").focus();
    await view.bar("MPI").focus();
    expect(await focused()).toMatch(/^MPI,/);
    await tooltip.waitFor();
    await page.mouse.move(2, 2);
    const split = await splitOf(sample);
    const parts = split.graph.bars.filter(({ group }) => group.startsWith("MPI from "));
    const [heaviest] = parts.toSorted((a, b) => b.inclusive - a.inclusive);
    await view.sendGraph(split, { revision: 2 });
    await expect.poll(focused).toMatch(new RegExp(`^${heaviest.group},`));
    expect(await tooltip.isVisible()).toBe(false);
  });

  it("fades labels out as they were", async () => {
    const sample = await view.show();
    const labels = () =>
      view.panel.page
        .locator(".drawing .above text")
        .evaluateAll((texts) =>
          texts.map((text) => [text.textContent, text.getAttribute("x"), text.getAttribute("y")].join(" ")).sort(),
        );
    const before = await labels();
    const split = await splitOf(sample);
    const fading = view.panel.page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const seek = () => {
            const above = document.querySelector(".drawing .above");
            const opacity = Number(above?.getAttribute("opacity") ?? 1);
            if (above && opacity > 0 && opacity < 1)
              return resolve(
                [...above.querySelectorAll("text")]
                  .map((text) => [text.textContent, text.getAttribute("x"), text.getAttribute("y")].join(" "))
                  .sort(),
              );
            requestAnimationFrame(seek);
          };
          seek();
        }),
    );
    await view.sendGraph(split, { revision: 2 });
    expect(await fading).toEqual(before);
  });

  it("is there at once where less motion is wanted, and where the graph before is another one", async () => {
    for (const reducedMotion of [true, false]) {
      const sample = await view.show({ reducedMotion });
      const split = await splitOf(sample, reducedMotion ? 1 : 77);
      const watched = watch();
      await view.sendGraph(split, { revision: 2 });
      for (const { flows } of await watched) expect(flows).toBe(1);
      await view.bar("MPI from halo_transfer").waitFor();
    }
  });

  it("looks and reads as if nothing had been there before", async () => {
    const look = async () => {
      const { page } = view.panel;
      await page.mouse.move(2, 2);
      // What has the focus has its hint beside it.
      await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
      // All of it at once: where a part is painted again, edges of letters differ by a 255th.
      for (const visibility of ["hidden", "visible"]) {
        await page.evaluate((now) => (document.body.style.visibility = now), visibility);
        await drawn(page);
      }
      const names = page.locator(".drawing [role=option]");
      return {
        picture: await page.locator(".stage").screenshot(),
        names: await names.evaluateAll((marks) => marks.map((mark) => mark.getAttribute("aria-label"))),
        stops: await page.locator(".drawing [tabindex='0']").count(),
      };
    };
    await view.open({ reducedMotion: true });
    const sample = await sampleGraph({ groupBy: "function" }, size);
    await view.sendGraph(sample);
    const alone = await look();
    await view.open({ reducedMotion: true });
    // More bars, hatched ones, others found, one selected and one dimmed.
    const others = [await sampleGraph({ groupBy: "none" }, size), await sampleGraph({ filter: 5 }, size)];
    for (const [at, other] of others.entries()) {
      await view.sendGraph(other, { revision: 10 + at });
      await view.search("halo");
      await view.panel.send({ type: "selection", revision: 10 + at, mark: 1 });
      await drawn(view.panel.page);
    }
    await (await view.search("")).press("Escape");
    await view.sendGraph(sample);
    // What was selected has no strip below any more: there is another size to lay out for.
    await view.sendParts(sample);
    const after = await look();
    expect(after.names).toEqual(alone.names);
    expect(after.stops).toBe(alone.stops);
    expect(after.picture.equals(alone.picture)).toBe(true);
  });

  it("gives way to the next answer", async () => {
    const sample = await view.show();
    const split = await splitOf(sample);
    await view.sendGraph(split, { revision: 2 });
    const back = await sampleGraph({ before: [{ shown: split.shown, revision: 2 }] }, size);
    expect(back.shown.content.from?.revision).toBe(2);
    await view.sendGraph(back, { revision: 3 });
    const frames = await watch();
    expect(frames.at(-1)?.left).toHaveLength(sample.graph.bars.length);
    await view.bar("MPI").click();
    expect((await view.sent()).filter(({ action }) => action === "select")).toMatchObject([{ revision: 3 }]);
  });
});
