/**
 * What holds of every panel of the kit, whatever it draws: its drawing is pure and in bounds, each mark is reached by keyboard and
 * hit by the pointer, labels do not overlap, the frame keeps its heights, axe-core finds nothing in a dark and a light theme, names are only
 * text, what is not understood changes nothing, and what it keeps brings it back.
 */
import { isDeepStrictEqual } from "node:util";
import fs from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { chosenRanks } from "../../../src/model/members";
import type { PanelDefinition, View } from "../../../src/panels/kit/definition";
import { frameMessage } from "../../../src/panels/kit/frameMessage";
import { MARK_LIMIT, MESSAGE_LIMIT, parse } from "../../../src/protocol/bounds";
import { frame } from "../../../src/protocol/frame";
import type { Session } from "../../../src/session/session";
import { contrast, parseColor } from "../../../webviews/shared/color";
import type { DrawView, Scene } from "../../../webviews/kit/stage/scene";
import {
  arePicturesWanted,
  drawn,
  keepFile,
  type OpenOptions,
  type PanelPage,
  PanelWindow,
  readThemes,
  screenshot,
  type Sent,
  type ThemeName,
  themeNames,
} from "../window";
import { expectGolden, type Golden, saidBy, savedAs } from "./golden/goldenFiles";
import { plainTheme } from "./plainTheme";
import { recordings } from "../../recordings";
import { seed } from "../../unit/randomCases";
import { LAWS_TITLE } from "./lawsTitle.mjs";
import { openPage, type PanelSample, sendParts, sendSample } from "./showing";

interface Laws<State extends object, Shown, Content, ChosenPart, Part> {
  readonly definition: PanelDefinition<State, Shown, Content, ChosenPart, Part>;
  /** The page's drawing; absent where a panel draws on a stage of its own. */
  readonly draw?: (content: Content, view: DrawView) => Scene;
  /** The script of a page that is not under webviews/. */
  readonly entry?: string;
  /** Text and tables in place of a drawing: there are no marks, nothing to save, and no table beside. */
  readonly isText?: boolean;
  readonly samples: () => Promise<readonly PanelSample<State, Shown>[]>;
}

/** `npm test` asks for one width of each panel whose file has its turn in another run. */
const isQuick = Boolean(process.env.HEATFLOW_QUICK_LAWS);
const WIDTHS = isQuick ? [600] : [400, 600, 1400];
const SEEN_HEIGHT = 700;
/** Above and below the drawing, without a notice (look, section 1). */
const MOST_ABOVE = 54;
const MOST_BELOW = 47;
/** Names that must be nothing but text. */
export const HOSTILE_NAME = '\u202e<img src=x onerror="window.broken=1">' + "x".repeat(300) + "=cmd()";

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export function panelLaws<State extends object, Shown, Content, ChosenPart, Part = never>(
  laws: Laws<State, Shown, Content, ChosenPart, Part>,
): void {
  describe(LAWS_TITLE, () => defineLaws(laws));
}

function defineLaws<State extends object, Shown, Content, ChosenPart, Part>(
  laws: Laws<State, Shown, Content, ChosenPart, Part>,
): void {
  const { definition, draw, isText } = laws;
  const inside = isText ? ".document dd" : ".drawing [role=option]";
  const area = isText ? ".document" : ".drawing";
  let samples: readonly PanelSample<State, Shown>[];
  let window: PanelWindow;

  beforeAll(async () => {
    [samples, window] = await Promise.all([
      laws.samples(),
      PanelWindow.start(definition.id, definition.title, laws.entry),
    ]);
  });
  afterAll(() => window.stop());
  afterEach(async ({ task }) => expect(await window.endTest(task.result?.state === "fail")).toEqual([]));

  /** Where marks lie on a canvas, one is drawn as an element. */
  async function firstMark({ page }: PanelPage): Promise<number> {
    const [mark] = await page.locator(".drawing [data-mark]").evaluateAll((all) => all.map((one) => one.dataset.mark));
    return Number(mark ?? 0);
  }

  /** What takes a page for each sample: the first and a third of the others, another third each run; all of them in the full run. */
  const seenSamples = () =>
    arePicturesWanted
      ? samples
      : samples.filter((_, at) => at === 0 || (!isQuick && (at % 3 === seed % 3 || samples.length === 2)));

  async function show(sample: PanelSample<State, Shown>, options: OpenOptions = {}): Promise<PanelPage> {
    const panel = await openPage(window, options);
    // Notices cost a row; they have a law of their own.
    await sendSample(panel, { ...definition, notes: undefined }, sample);
    return panel;
  }

  /** Samples in every width, looked at once for all laws that only look. */
  async function look() {
    const sizes = [];
    const looked = [];
    for (const sample of seenSamples()) {
      const panel = await show(sample, { width: 400, height: SEEN_HEIGHT });
      const { page } = panel;
      const cutSelects = await page.locator(".toolbar .select").evaluateAll((all) => {
        const isCut = (one: Element) =>
          !one.checkVisibility() || one.getBoundingClientRect().right > document.documentElement.clientWidth;
        return all.filter(isCut).length;
      });
      // What had no room before is there again where it has.
      await resize(panel, { width: 300, height: SEEN_HEIGHT });
      // Texts of a strip are chosen for its width, which may also become less.
      for (const width of definition.overTime ? [...WIDTHS, WIDTHS[0]] : WIDTHS) {
        await resize(panel, { width, height: SEEN_HEIGHT });
        const boxOf = (part: string) =>
          page.locator(`${part}:visible`).evaluateAll(([one]) => one?.getBoundingClientRect());
        sizes.push({
          at: `${sample.name} at ${width}`,
          width,
          drawing: await page.locator(area).boundingBox(),
          strip: await boxOf(".strip"),
          list: await boxOf(".side"),
          scrollWidth: await page.evaluate(() => document.documentElement.scrollWidth),
          overlaps: await overlapping(page),
          cut: await cutAtEdges(page),
          uneven: definition.overTime ? await unevenTicks(page) : [],
          tooHigh: await higherThanTheirRows(page),
          legend: await legendFaults(page),
          spared: await sparedWords(page),
        });
      }
      const words = await page.locator("#app").innerText();
      const drawing = await page.locator(".drawing text").allTextContents();
      looked.push({ name: sample.name, cutSelects, said: [words, ...drawing].join("\n") });
    }
    return { sizes, samples: looked };
  }
  let known: ReturnType<typeof look> | undefined;
  const seen = () => (known ??= look());

  /** Samples led through by keyboard, once for all laws of it: what had the focus, and rings around that. */
  async function walk() {
    const ways = [];
    for (const sample of seenSamples()) {
      const panel = await show(sample, { width: 1000 });
      const { page } = panel;
      await panel.send({ type: "focus" });
      await drawn(page);
      const start = page.locator(".drawing [tabindex='0']").first();
      if ((await start.count()) === 0) continue;
      await start.focus();
      await drawn(page);
      const ring = page.locator('.rings > [stroke-width="1"]');
      const outline = () =>
        page.evaluate(() => document.activeElement && getComputedStyle(document.activeElement).outlineStyle);
      const before = { rings: await ring.count(), outline: await outline() };
      const focused = [];
      const crossed: string[] = [];
      for (const key of ["Home", "ArrowRight", "ArrowDown", "End", "ArrowLeft", "ArrowUp"]) {
        await page.keyboard.press(key);
        await ring.waitFor({ state: "attached" });
        const { mark, says } = await page.evaluate(() => ({
          mark: Number(document.activeElement?.getAttribute("data-mark")),
          says: document.activeElement?.getAttribute("aria-label"),
        }));
        focused.push({ mark, says });
        await panel.send({ type: "selection", revision: 1, mark });
        await drawn(page);
        crossed.push(...(await crossedByRings(page)).map((text) => `${key}: ${text}`));
      }
      if (sample === samples[0]) await screenshot(page, `${definition.id}-focus`);
      const marks = await page.locator(".drawing [role=option]").count();
      await page.mouse.click(1, 1);
      await page.mouse.move(0, 0);
      await start.focus();
      await drawn(page);
      const after = { rings: await ring.count(), outline: await outline() };
      ways.push({ name: sample.name, marks, before, first: focused[0], last: focused[3], crossed, after });
    }
    return ways;
  }
  let ways: ReturnType<typeof walk> | undefined;
  const walked = () => (ways ??= walk());

  describe("messages", () => {
    it("of every sample are in bounds and understood", () => {
      for (const { view, shown, name } of samples) {
        const message = frameMessage(definition, "a-key", view, shown);
        expect(parse(frame, message), name).toEqual(message);
        expect(sizeOf(message) + sizeOf(definition.content(shown, view)), name).toBeLessThanOrEqual(MESSAGE_LIMIT);
        expect(parse(definition.state, message.restore), name).toEqual(view.state);
      }
    });
  });

  it("is as its golden files have it", async () => {
    const golden = new Map<string, readonly Golden[]>();
    for (const { view, ...sample } of samples.filter(isOfProject)) {
      // How long reading took is another number in each run.
      const own = { ...sample, view: { ...view, dataSet: { ...view.dataSet, seconds: 0.01 } } };
      const panel = await show(own, { width: 800, height: 600, theme: "light", plainWidths: true });
      const files: readonly Golden[] = isText
        ? [["txt", await panel.page.locator(".document").innerText()]]
        : [
            ["txt", await saidBy(panel)],
            ["svg", await savedAs(panel, "svg")],
            ["csv", await savedAs(panel, "csv")],
          ];
      golden.set(sample.name, files);
    }
    await expectGolden(definition.id, golden);
  });

  describe("a page", () => {
    it("says what it is before its script is there, and until its panel is heard of", async () => {
      const says = `${definition.title} · reading…`;
      const [{ view, shown }] = samples;
      const before = await window.open({ withoutScript: true });
      const isPainted = () => before.page.evaluate(() => performance.getEntriesByType("paint").length > 0);
      await expect.poll(isPainted).toBe(true);
      expect((await before.page.locator("body").innerText()).trim()).toBe(says);
      const panel = await openPage(window);
      expect(await panel.page.getByText(says).isVisible()).toBe(true);
      await panel.send(frameMessage(definition, "a-key", view, shown));
      await panel.page.getByText(says).waitFor({ state: "detached" });
    });
  });

  describe("a comparison", () => {
    it("is said by a chip, with whether both recordings are drawn, and ended by it", async () => {
      const [{ view, shown }] = samples;
      const compared = comparing(view);
      const framed = frameMessage(definition, "a-key", compared, shown);
      const isBoth = definition.drawsBoth?.(compared) === true;
      const text = isBoth ? `before.cali → ${view.dataSet.name}` : "candidate of before";
      expect(framed.chips).toMatchObject([{ text }]);
      const panel = await openPage(window, { width: 1000 });
      await panel.send(framed);
      await panel.page.getByRole("button", { name: `Remove ${text}` }).click();
      await expect.poll(() => panel.sent()).toContainEqual({ type: "remove-chip", id: framed.chips[0].id });
    });
  });

  if (draw)
    describe("the drawing", () => {
      const drawnAt = (sample: PanelSample<State, Shown>, width: number) => {
        const view = {
          width,
          height: 500,
          theme: plainTheme,
          measure: (size: number) => (text: string) => text.length * size * 0.6,
        };
        return draw(definition.content(sample.shown, sample.view), view);
      };

      it("is the same for the same answer, with marks that have names, ids and places of their own", () => {
        for (const sample of samples)
          for (const width of WIDTHS) {
            const scene = drawnAt(sample, width);
            expect(looksOf(scene)).toEqual(looksOf(drawnAt(sample, width)));
            expect(new Set(scene.marks.map(({ id }) => id)).size, sample.name).toBe(scene.marks.length);
            expect(new Set(scene.marks.map(({ key }) => key)).size, sample.name).toBe(scene.marks.length);
            expect(scene.marks.length).toBeLessThanOrEqual(MARK_LIMIT);
            for (const { box, name } of scene.marks) {
              expect(name).not.toBe("");
              expect(Object.values(box).every(Number.isFinite), sample.name).toBe(true);
              expect(box.x >= -1 && box.x + box.width <= width + 1 && box.y >= -1, `${sample.name}: ${name}`).toBe(
                true,
              );
            }
          }
      });

      it("has no mark that arrow keys do not reach", () => {
        for (const sample of samples) {
          const { marks, move } = drawnAt(sample, 600);
          if (!move || marks.length === 0) continue;
          const reached = new Set([marks[0].id]);
          for (const from of reached)
            for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const) {
              const to = move(from, key);
              if (to !== undefined) reached.add(to);
            }
          expect(
            marks.filter(({ id, within }) => !reached.has(within ?? id)).map(({ name }) => name),
            sample.name,
          ).toEqual([]);
        }
      });
    });

  describe("on screen", () => {
    it.each(readThemes(definition.id))("axe-core finds nothing in drawing, table and menu (%s)", async (theme) => {
      const [sample] = samples;
      const panel = await show(sample, { theme, width: 600 });
      expect(await findings(panel)).toEqual([]);
      if (isText) return;
      await panel.page.getByRole("button", { name: /^Table/ }).click();
      await panel.page.locator(".drawing [tabindex='0']").first().focus();
      await panel.page.keyboard.press("Shift+F10");
      await drawn(panel.page);
      expect(await findings(panel)).toEqual([]);
    });

    it.skipIf(!arePicturesWanted).each(themeNames)("is looked at (%s)", async (theme) => {
      for (const [at, sample] of samples.entries()) {
        if (at > 0 && !sample.isPictured) continue;
        const panel = await show(sample, { theme });
        for (const width of WIDTHS) {
          await resize(panel, { width, height: width === 1400 ? 760 : 700 });
          // The host lays out anew what comes after the content.
          await sendParts(panel, definition, sample);
          const name = at === 0 ? "" : `-${sample.name.replaceAll(" ", "-")}`;
          await screenshot(panel.page, `${definition.id}${name}-${theme}-${width}`);
        }
      }
    });

    it("has the colours of a theme that is chosen while it is open", async () => {
      for (const sample of seenSamples().slice(0, themeNames.length)) {
        const at = samples.indexOf(sample);
        const [before, theme] = [themeNames[(at + 3) % themeNames.length], themeNames[at % themeNames.length]];
        const shown = async (first: ThemeName) => {
          const panel = await show(sample, { theme: first, kept: { table: at <= 1 }, reducedMotion: true });
          await panel.send({ type: "selection", revision: 1, mark: await firstMark(panel) });
          const { page } = panel;
          if (!isText && (await page.locator(inside).count()) > 0)
            await page.locator(".rings > *").waitFor({ state: "attached" });
          await drawn(page);
          return panel;
        };
        const fresh = await steadyColorsOf(await shown(theme));
        const panel = await shown(before);
        await panel.wear(theme);
        await drawn(panel.page);
        await expect.poll(() => colorsOf(panel), { message: `${sample.name}: ${before} to ${theme}` }).toEqual(fresh);
      }
    });

    it("has at most 54 pixels above and 47 below the drawing, and nothing beyond its width", async () => {
      for (const { at, width, drawing, strip, list, scrollWidth, overlaps, cut, tooHigh } of (await seen()).sizes) {
        if (!drawing) throw new Error(`${at}: no drawing`);
        // A strip counts as drawing.
        expect(strip?.top ?? drawing.y, at).toBeLessThanOrEqual(MOST_ABOVE);
        // A list that has no room beside the drawing is one more part of it, below.
        const end = Math.max(drawing.y + drawing.height, list?.bottom ?? 0);
        expect(SEEN_HEIGHT - end, at).toBeLessThanOrEqual(MOST_BELOW);
        expect(scrollWidth, at).toBeLessThanOrEqual(width);
        expect(overlaps, at).toEqual([]);
        expect(cut, at).toEqual([]);
        expect(tooHigh, at).toEqual([]);
      }
    });

    it("has a legend wherever something is coloured, whole, and with as much as the row has room for", async () => {
      for (const { at, legend } of (await seen()).sizes) expect(legend, at).toEqual([]);
    });

    it("cuts no word of its toolbar for which there is room", async () => {
      for (const { at, spared } of (await seen()).sizes) expect(spared, at).toEqual([]);
    });

    it.skipIf(isText)("says what is drawn in a window of any size, with no word cut", async () => {
      const { page } = await show(samples[0], { width: 600 });
      for (const [width, height] of [...WIDTHS.map((width) => [width, 720]), [700, 450]]) {
        await page.setViewportSize({ width, height });
        await drawn(page);
        await page.locator("[data-tool=more]").click();
        await page.getByRole("menuitem", { name: "What is drawn here" }).click();
        // The pointer moves on over the drawing.
        await page.mouse.move(width - 20, height - 60, { steps: 3 });
        await drawn(page);
        const at = `${width} × ${height}`;
        expect(await page.locator(".tooltip.help").isVisible(), at).toBe(true);
        expect(
          await page.locator(".tooltip, .tooltip :is(dt, dd, .tooltip-name)").evaluateAll((all) =>
            all
              .filter((one) => {
                const { left, top, right, bottom } = one.getBoundingClientRect();
                const isCut = one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight;
                return isCut || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
              })
              .map(({ textContent }) => textContent),
          ),
          at,
        ).toEqual([]);
        const starts = await page
          .locator(".tooltip dd")
          .evaluateAll((all) => all.map((one) => getComputedStyle(one).textAlign));
        expect(new Set(starts), at).toEqual(new Set(["start"]));
        await page.mouse.click(width - 20, 40);
        expect(await page.locator(".tooltip").isVisible(), at).toBe(false);
      }
    });

    it("names round moments in a strip of time, as far from each other as the next ones", async () => {
      for (const { at, uneven } of (await seen()).sizes) expect(uneven, at).toEqual([]);
    });

    it("keeps every select at 400 pixels", async () => {
      for (const { name, cutSelects } of (await seen()).samples) expect(cutSelects, name).toBe(0);
    });

    it("writes numbers with three digits and a minus", async () => {
      for (const { name, said } of (await seen()).samples) {
        if (name.startsWith("hostile")) continue;
        expect(said.match(/(^|[\s(=·])-\d.*/gm) ?? [], name).toEqual([]);
        // Of the largest unit more than three are written before the point.
        expect(said.match(/\d{4,}(\.\d+)? (ms|µs|ns|[kMG]?B)\b/g) ?? [], name).toEqual([]);
        expect(said.match(/\b\d*\.\d*[1-9]\d{3,} (s|ms|µs|ns|%)/g) ?? [], name).toEqual([]);
      }
    });

    it.skipIf(isText)("has edges of 3 : 1 in each theme, of what a restriction leaves out too", async () => {
      const { page, wear } = await show(samples[0]);
      for (const theme of themeNames) {
        await wear(theme);
        await drawn(page);
        const [background, edges] = await page.evaluate(() => [
          getComputedStyle(document.documentElement).getPropertyValue("--vscode-editor-background"),
          [...document.querySelectorAll(".drawing [role=option][stroke]")].map((mark) => ({
            stroke: mark.getAttribute("stroke") ?? "",
            opacity: mark.getAttribute("opacity"),
          })),
        ]);
        const ground = parseColor(background) ?? expect.fail(background);
        for (const { stroke, opacity } of edges) {
          expect(opacity).toBeNull();
          expect(contrast(parseColor(stroke) ?? ground, ground), `${stroke} in ${theme}`).toBeGreaterThan(2.99);
        }
      }
    });

    it.skipIf(isText)("leads by keyboard from mark to mark, and says each", async () => {
      for (const { name, first, last, marks } of await walked()) {
        expect([first.says, last.says].every(Boolean), name).toBe(true);
        if (marks > 1) expect(last.mark, name).not.toBe(first.mark);
      }
    });

    it.skipIf(isText)("shows where the keyboard is once keys are used, and never across a text", async () => {
      for (const { name, before, crossed, after } of await walked())
        expect({ name, before, crossed, after }).toEqual({
          name,
          crossed: [],
          before: { rings: 0, outline: "none" },
          after: { rings: 0, outline: "none" },
        });
    });

    it("takes names for nothing but text", async () => {
      const { view, shown } = samples[0];
      const hostile = { ...view, dataSet: { ...view.dataSet, name: HOSTILE_NAME } };
      const { page } = await show({ ...samples[0], view: hostile, shown }, { width: 600 });
      expect(await page.evaluate(() => (globalThis as unknown as { broken?: number }).broken)).toBeUndefined();
      expect(await page.locator("img, #app script, iframe").count()).toBe(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(600);
      expect(await page.locator("body").innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    });

    it.skipIf(isText)(
      "saves whole pictures that are well formed, and tables that run nothing, with all notes",
      async () => {
        const panel = await openPage(window, { theme: "light" });
        const notes = () => [
          `${"Estimated, as it were, ".repeat(20)}from a call graph.`,
          "=cmd() is drawn as the mean",
        ];
        const [{ view, shown }] = samples;
        await sendSample(panel, definition, samples[0]);
        const compared = comparing({ ...view, scope: { ...view.scope, chosen: chosenRanks([0, 4]) } });
        const framed = frameMessage({ ...definition, notes }, "a-key", compared, shown);
        await panel.send(framed);
        const comparison = framed.chips.at(-1);
        await panel.send({ type: "selection", revision: 1, mark: await firstMark(panel) });
        await panel.page.locator('.drawing [aria-selected="true"]').waitFor({ state: "attached" });
        const [labels, legend] = await Promise.all(
          [".drawing text", ".legend .entry"].map((all) => panel.page.locator(all).allTextContents()),
        );
        const focus = await panel.page.evaluate(() =>
          getComputedStyle(document.documentElement).getPropertyValue("--vscode-focusBorder"),
        );
        for (const format of ["svg", "csv", "png"]) {
          await panel.page.getByRole("button", { name: /^Save/ }).click();
          await panel.page.getByRole("menuitem", { name: new RegExp(format, "i") }).click();
          let saved: Sent | undefined;
          await expect
            .poll(async () => (saved = (await panel.sent()).find(({ type }) => type === "save") ?? saved)?.format)
            .toBe(format);
          const content = String(saved?.content);
          expect(content.length).toBeGreaterThan(50);
          keepFile(`saved-${definition.id}.${format}`, format === "png" ? Buffer.from(content, "base64") : content);
          if (format === "csv") expect(content).not.toMatch(/(^|,)"?[=+@]/m);
          if (format === "png") continue;
          // Lines of a picture are texts of their own.
          const words = content.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
          const notesSaid = ["it were, from a call graph.", "=cmd() is drawn as the mean"];
          for (const said of ["restriction: ranks 0, 4", comparison?.said ?? "", ...notesSaid])
            expect(words).toContain(said);
          expect(words).not.toContain(`restriction: ${comparison?.text}`);
          if (format !== "svg") continue;
          const letters = decoded(words).replace(/\s/g, "");
          const { name } = samples[0].view.dataSet;
          for (const said of [name, ...labels, ...legend]) expect(letters).toContain(said.replace(/\s/g, ""));
          // What is selected is a matter of the screen.
          expect(content).not.toContain(`stroke="${focus}"`);
          const errors = await panel.page.evaluate(
            (text) =>
              new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("parsererror, script").length,
            content,
          );
          expect(errors).toBe(0);
        }
      },
    );

    it("ignores what it does not understand", async () => {
      const panel = await show(samples[0]);
      const before = await panel.page.locator(area).innerHTML();
      const content = definition.content(samples[0].shown, samples[0].view);
      for (const broken of brokenOf(content)) await panel.send({ type: "content", revision: 2, content: broken });
      for (const message of [null, 7, "content", {}, { type: "content" }, { type: "selection", revision: 9, mark: -1 }])
        await panel.send(message);
      await drawn(panel.page);
      expect(await panel.page.locator(area).innerHTML()).toBe(before);
    });

    it.skipIf(isText)("comes back after a reload with its table", async () => {
      const first = await show(samples[0]);
      await first.page.getByRole("button", { name: /^Table/ }).click();
      await drawn(first.page);
      const kept = await first.kept();
      expect(parse(definition.state, kept)).toEqual(samples[0].view.state);
      const again = await show(samples[0], { kept });
      expect(await again.page.getByRole("grid").count()).toBeGreaterThan(0);
    });

    it("says what went wrong and keeps what was drawn; says why there is nothing", async () => {
      const panel = await show(samples[0]);
      await panel.send({ type: "problem", kind: "error", message: "line 3 is cut", action: "retry" });
      await panel.page.getByText("line 3 is cut").waitFor();
      expect(await panel.page.locator(inside).count()).toBeGreaterThan(0);
      await panel.send({ type: "problem", kind: "empty", message: "nothing is there", advice: "record it" });
      await panel.page.getByText("nothing is there").waitFor();
      expect(await panel.page.locator(inside).count()).toBe(0);
    });
  });
}

/** Whether a sample is of the project or made by a test, so that it is there on every machine. */
function isOfProject({
  view,
}: {
  readonly view: { readonly dataSet: { readonly files: readonly string[] } };
}): boolean {
  const folder = recordings();
  return !view.dataSet.files.some((file) => folder !== undefined && file.startsWith(folder));
}

/** The recording as the candidate of a comparison with one that is like it. */
function comparing<State>(view: View<State>): View<State> {
  const { session, dataSet, scope } = view;
  const baseline = { ...dataSet, id: dataSet.id + 1000, name: "before.cali" };
  const compared: Partial<Session> = {
    dataSets: [baseline, dataSet],
    comparison: { baseline: baseline.id, candidate: dataSet.id },
    scope: (id) => ({ ...scope, dataSet: id ?? dataSet.id }),
  };
  return { ...view, session: { ...session, ...compared } };
}

/** As a person does who drags the panel's edge: what is shown stays, and is drawn for the new size. */
async function resize(panel: PanelPage, size: { width: number; height: number }): Promise<PanelPage> {
  await panel.page.setViewportSize(size);
  await drawn(panel.page);
  return panel;
}

async function findings({ page }: PanelPage): Promise<string[]> {
  // Rows of a long table are like those before them, and take axe 5 ms each.
  await page.locator("tbody tr:nth-child(n + 21)").evaluateAll((rows) => rows.forEach((row) => row.remove()));
  await page.evaluate(axe);
  const { violations } = (await page.evaluate("axe.run()")) as AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}

/** Every colour that is drawn, with what it is drawn on; of a canvas all of its pixels. */
/** Those of a page that draws nothing more: a drawing may follow another one, as when a table has taken its room. */
async function steadyColorsOf(panel: PanelPage): Promise<string[]> {
  for (let last = await colorsOf(panel); ;) {
    await drawn(panel.page);
    const now = await colorsOf(panel);
    if (isDeepStrictEqual(now, last)) return now;
    last = now;
  }
}

async function colorsOf({ page }: PanelPage): Promise<string[]> {
  return page.evaluate(() => {
    const properties = ["color", "background-color", "border-top-color", "fill", "stroke", "stop-color"];
    const colorsOn = (element: Element) => {
      if (element instanceof HTMLCanvasElement) return element.width * element.height > 0 ? element.toDataURL() : "";
      const style = getComputedStyle(element);
      return properties.map((property) => style.getPropertyValue(property)).join(" ");
    };
    return [document.body, ...document.querySelectorAll("#app, #app *")].map(
      (element) => `${element.tagName} ${element.getAttribute("class") ?? ""}: ${colorsOn(element)}`,
    );
  });
}

/** What is wrong with a legend: nothing of it is seen, it is cut, or there is room for more. */
async function legendFaults(page: PanelPage["page"]): Promise<string[]> {
  return page.evaluate(() => {
    const row = document.querySelector<HTMLElement>(".legend");
    const entries = [...(row?.querySelectorAll<HTMLElement>(".entry") ?? [])];
    if (!row || entries.length === 0) return [];
    const end = row.getBoundingClientRect().right - parseFloat(getComputedStyle(row).paddingRight);
    const shown = entries.filter((entry) => !entry.hidden);
    const faults = shown.length === 0 ? ["empty"] : [];
    for (const entry of shown)
      if (entry.getBoundingClientRect().right > end + 0.5) faults.push(`cut: ${entry.textContent}`);
    const next = entries.find((entry) => entry.hidden);
    // What is cut already has no room for more.
    if (!next || row.matches(".tight")) return faults;
    next.hidden = false;
    if (next.getBoundingClientRect().right <= end) faults.push(`room for: ${next.textContent}`);
    next.hidden = true;
    return faults;
  });
}

/** Words of the toolbar that are shown cut although the row has room for more of them. */
async function sparedWords(page: PanelPage["page"]): Promise<string[]> {
  return page.evaluate(() => {
    const row = document.querySelector<HTMLElement>(".toolbar");
    if (!row) return [];
    const isFull = () => row.scrollWidth > row.clientWidth;
    const words = [...row.querySelectorAll<HTMLElement>(".select > [data-text]")].filter((word) =>
      word.checkVisibility(),
    );
    const cut = words.filter(({ textContent, dataset }) => textContent !== dataset.text);
    const spared = cut.filter((word) => {
      const { textContent: before } = word;
      // One letter more than is shown, as wide as the widest of them.
      const letters = [...(word.dataset.text ?? "")].map((letter) => before.replace("…", `${letter}…`));
      const hasRoom = letters.every((text) => {
        word.textContent = text;
        return !isFull();
      });
      word.textContent = before;
      return hasRoom;
    });
    return spared.map(({ textContent }) => textContent);
  });
}

/** Texts around the drawing whose lines leave what they stand in; a heading of the list beside it is 24 pixels high. */
async function higherThanTheirRows(page: PanelPage["page"]): Promise<string[]> {
  return page
    .locator(":is(.toolbar, .context, .notice, .side h2, .details, .legend):visible")
    .evaluateAll((all) =>
      all
        .filter(
          (part) => part.scrollHeight > part.clientHeight + 1 || (part.matches(".side h2") && part.clientHeight > 24),
        )
        .map(({ textContent }) => textContent ?? ""),
    );
}

/** Texts of the drawing through which a ring goes: around what has the focus, or is selected. */
async function crossedByRings(page: PanelPage["page"]): Promise<string[]> {
  return page.evaluate(() => {
    const rings = [...document.querySelectorAll<SVGGraphicsElement>(".rings > *")];
    const texts = [...document.querySelectorAll<SVGTextElement>(".drawing text")];
    return rings.flatMap((ring) => {
      const { x, y, width, height } = ring.getBBox();
      const half = Number(ring.getAttribute("stroke-width")) / 2;
      // Boxes of texts are as high as their lines: letters stand on the baseline.
      const letters = texts.map((text) => {
        const { x: left, width: wide } = text.getBBox();
        const [base, size] = ["y", "font-size"].map((name) => Number(text.getAttribute(name)));
        return { left, right: left + wide, top: base - 0.72 * size, bottom: base + 0.2 * size, of: text.textContent };
      });
      const meets = (off: number) => (box: (typeof letters)[number]) =>
        box.left < x + width + off && box.right > x - off && box.top < y + height + off && box.bottom > y - off;
      const isInside = (box: (typeof letters)[number]) =>
        box.left >= x + half && box.right <= x + width - half && box.top >= y + half && box.bottom <= y + height - half;
      return letters
        .filter((box) => meets(half)(box) && !isInside(box))
        .map(({ of }) => `${ring.getAttribute("stroke-width")} pixels wide across ${of}`);
    });
  });
}

/** Texts of the drawing, and of the strip, that end beyond the page. */
async function cutAtEdges(page: PanelPage["page"]): Promise<string[]> {
  return page.locator(":is(.drawing, .strip) text").evaluateAll((texts) =>
    texts
      .map((text) => ({ words: text.textContent ?? "", box: text.getBoundingClientRect() }))
      .filter(({ box }) => box.left < -0.5 || box.right > document.documentElement.clientWidth + 0.5)
      .map(({ words, box }) => `${words} from ${box.left} to ${box.right}`),
  );
}

/** Texts along the strip where some are farther from the one before than others are, or too near to it. */
async function unevenTicks(page: PanelPage["page"]): Promise<string[]> {
  return page.locator(".strip text[text-anchor=start]").evaluateAll((texts) => {
    const places = texts.map((text) => Number(text.getAttribute("x")));
    const steps = places.slice(1).map((place, at) => place - places[at]);
    const boxes = texts.map((text) => text.getBoundingClientRect());
    const isEven = steps.every((step) => Math.abs(step - steps[0]) <= 0.5);
    const areApart = boxes.slice(1).every(({ left }, at) => left - boxes[at].right >= 5);
    return isEven && areApart ? [] : texts.map(({ textContent }) => textContent ?? "");
  });
}

/** Pairs of texts of the drawing, or of the strip, that lie on each other. */
async function overlapping(page: PanelPage["page"]): Promise<string[]> {
  return page.locator(":is(.drawing, .strip) text").evaluateAll((texts) => {
    const boxes = texts.map((text) => ({ words: text.textContent ?? "", box: text.getBoundingClientRect() }));
    return boxes.flatMap(({ words, box }, at) =>
      boxes
        .slice(at + 1)
        .filter(
          ({ box: other }) =>
            box.left < other.right - 1 &&
            other.left < box.right - 1 &&
            box.top < other.bottom - 2 &&
            other.top < box.bottom - 2,
        )
        .map((other) => `${words} / ${other.words}`),
    );
  });
}

/** The content with one part of it of another kind, for every part. */
function* brokenOf(content: unknown): Iterable<unknown> {
  if (typeof content !== "object" || content === null) return;
  for (const key of Object.keys(content)) {
    yield { ...content, [key]: Symbol.for(key).description?.repeat(5000) };
    yield { ...content, [key]: { length: -1 } };
  }
}

/** Characters of a message, with eight bytes for each number of a column. */
export function sizeOf(message: unknown): number {
  let bytes = 0;
  const text = JSON.stringify(message, (_, part: unknown) => {
    if (!ArrayBuffer.isView(part)) return part;
    bytes += part.byteLength;
    return undefined;
  });
  return text.length + bytes;
}

/** Text of an XML document. */
function decoded(text: string): string {
  const known: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return text.replace(/&(\w+);/g, (whole, name: string) => known[name] ?? whole);
}

/** A scene without its functions. */
function looksOf({ below, marks, above }: Scene): unknown {
  return {
    below,
    above,
    marks: marks.map(({ facts, note, says, outline, ...mark }) => ({
      ...mark,
      facts: facts(),
      note: note?.(),
      says: says?.(),
      around: outline?.around(0),
    })),
  };
}
