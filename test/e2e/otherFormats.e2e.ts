import assert from "node:assert/strict";
import { recordings } from "../recordings";
import { Correlation } from "./correlation";
import { eventually } from "./eventually";
import { Explorer } from "./explorer";
import { copyRecordings, type FormatCase, formatCases, membersFrom, type Spread } from "./formatCases";
import { HeatflowViews } from "./heatflowViews";
import { Histogram } from "./histogram";
import { Keyboard } from "./keyboard";
import { SuperGraph } from "./superGraph";
import { TextEditor } from "./textEditor";
import { Window } from "./window";

const shared = recordings();

describe("threads and ranks of other formats", function () {
  let window: Window;
  let views: HeatflowViews;
  let keyboard: Keyboard;

  before(async function () {
    if (shared === undefined) return this.skip();
    const prepare = (workspace: string) => copyRecordings(shared, workspace);
    window = await Window.open({ prepare, viewport: { width: 1600, height: 1400 } });
    views = new HeatflowViews(window);
    keyboard = new Keyboard(window);
  });
  afterEach(async function () {
    if (this.currentTest?.isFailed()) await window.describe();
    await window.between(async () => {
      await views.closeDataSets();
      await window.command("Notifications: Clear All Notifications");
    });
  });
  after(() => window?.close(this.tests.some((test) => test.isFailed())));

  for (const [at, recording] of (shared === undefined ? [] : formatCases(shared)).entries()) {
    const { title, file, bar, split, unit } = recording;
    const partName = (caller: string) => `${bar} from ${caller}`;
    // A usual run goes one way through each format, a full one both.
    const [byMouse, byKeyboard] = process.env.HEATFLOW_FULL ? [it, it] : at % 2 === 0 ? [it, it.skip] : [it.skip, it];

    byMouse(`${title}, by mouse`, async () => {
      await new Explorer(window).open(file);
      await saysOnItsPage(recording);
      await window.command("Heatflow: Show Super Graph");
      const graph = await SuperGraph.of(window);
      await graph.filter(0);
      await graph.choose("groupBy", "by file");
      await graph.bar(bar).waitFor();

      await graph.operate(bar, split.entry);
      for (const [caller, inclusive] of Object.entries(split.parts))
        await graph.hasInclusives(partName(caller), unit, inclusive);
      await graph.tool("undo");
      await graph.bar(bar).waitFor();

      const spread = recording.spreads?.mouse;
      if (spread) {
        await graph.operate(bar, "Show histogram");
        const histogram = await Histogram.of(window);
        await histogram.shows(spread.title);
        await hasBars(histogram, spread);
        const chosen = largestFirst(spread).slice(0, membersFrom(spread).length);
        await histogram.brush(chosen[0], chosen[chosen.length - 1], spread.chip);
        await graph.hasInclusives(bar, unit, ...spread.halves);
        await histogram.frame.getByRole("button", { name: /^Remove/ }).click();
        await histogram.chip(spread.chip).waitFor({ state: "hidden" });
        await window.closeTab("Histogram");
      }

      await graph.operate(bar, "Correlate with…");
      const correlation = await Correlation.of(window);
      for (const [id, entry] of Object.entries(recording.correlation.choices)) await correlation.choose(id, entry);
      await correlates(correlation, recording);
      await window.closeTab("Correlation");

      if (recording.missing) {
        await graph.bar(recording.missing.bar).click();
        const notice = graph.frame.locator(".notice").filter({ hasText: recording.missing.why });
        await notice.filter({ hasText: "Press Enter to locate the file." }).waitFor();
      }
      await graph.open(recording.line.bar, recording.line.file, recording.line.line);
    });

    byKeyboard(`${title}, by keyboard`, async () => {
      await keyboard.quickOpen(file);
      await saysOnItsPage(recording);
      await keyboard.chord("g", "Super Graph");
      const graph = await SuperGraph.of(window);
      await keyboard.focusGroup(2, graph.frame);
      await keyboard.filter(graph.frame, "0");
      await keyboard.chooseSelect(graph.frame, "groupBy", "by file");
      await graph.bar(bar).waitFor();

      await keyboard.operate(graph.frame, bar, split.entry);
      for (const [caller, inclusive] of Object.entries(split.parts))
        await graph.hasInclusives(partName(caller), unit, inclusive);
      await keyboard.press("Control+z");
      await graph.bar(bar).waitFor();

      const spread = recording.spreads?.keyboard;
      if (spread) {
        await keyboard.focusBar(graph.frame, bar);
        await keyboard.press("Control+Alt+H", "i");
        const histogram = await Histogram.of(window);
        await keyboard.hasFocus(histogram.frame);
        if (spread.over) await keyboard.chooseSelect(histogram.frame, "by", spread.over);
        await histogram.shows(spread.title);
        await hasBars(histogram, spread);
        await keyboard.tabTo(histogram.frame, '.drawing [tabindex="0"]');
        const [largest, ...others] = largestFirst(spread).slice(0, membersFrom(spread).length);
        await keyboard.focusIn(histogram.frame, "Home", `.drawing [data-key="member ${largest}"]`);
        await keyboard.press("Space");
        await keyboard.press(...others.map(() => "Shift+ArrowRight"));
        await histogram.chip(spread.chip).waitFor();
        await graph.hasInclusives(bar, unit, ...spread.halves);
        await keyboard.press("Escape");
        await histogram.chip(spread.chip).waitFor({ state: "hidden" });
        await keyboard.focusGroup(2, graph.frame);
      }

      await keyboard.operate(graph.frame, bar, "Correlate with…");
      const correlation = await Correlation.of(window);
      await keyboard.hasFocus(correlation.frame);
      for (const [id, entry] of Object.entries(recording.correlation.choices))
        await keyboard.chooseSelect(correlation.frame, id, entry);
      await correlates(correlation, recording);
      await keyboard.focusGroup(2, graph.frame);

      if (recording.missing) {
        await keyboard.focusBar(graph.frame, recording.missing.bar);
        await keyboard.press("Enter");
        await window
          .notification(/ not found| not in these folders/)
          .filter({ hasText: recording.missing.bar })
          .waitFor();
      }
      await keyboard.focusBar(graph.frame, recording.line.bar);
      await keyboard.press("Enter");
      await new TextEditor(window).cursorAt(recording.line.file, recording.line.line);
    });
  }

  async function saysOnItsPage({ page }: FormatCase): Promise<void> {
    const frame = await window.webview("Recording");
    await eventually(async () => {
      const text = (await frame.locator("main").innerText()).replace(/[\t\n ]+/g, " ");
      for (const part of page) assert.ok(text.includes(part), text);
    });
  }
});

/** Keys by value; of equal values in their order. */
function largestFirst({ exclusive, keys }: Spread): string[] {
  return [...keys.keys()].sort((x, y) => exclusive[y] - exclusive[x] || x - y).map((at) => keys[at]);
}

/** A bar per member, largest first, and the members that are to be brushed. */
async function hasBars(histogram: Histogram, spread: Spread): Promise<void> {
  const { exclusive, keys, from, chip } = spread;
  await eventually(async () => {
    const shown = await histogram.bars();
    assert.deepEqual(
      shown.map((label) => /^[\w ]+? ([\d.]+),/.exec(label)?.[1]),
      largestFirst(spread),
    );
  });
  // What the chip is to say follows from the recording.
  const chosen = chip.replace(/^\w+ /, "").split(", ").flatMap(members);
  assert.deepEqual(membersFrom({ exclusive, keys, from }), chosen);
}

/** `1–3` as 1, 2, 3. */
function members(range: string): string[] {
  const [first, last] = range.split("–");
  if (last === undefined) return [first];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `${Number(first) + at}`);
}

async function correlates(panel: Correlation, { correlation }: FormatCase): Promise<void> {
  await panel.summary.filter({ hasText: correlation.points }).waitFor();
  await eventually(async () => assert.equal(await panel.r(), Number(correlation.r.toPrecision(3))));
}
