import assert from "node:assert/strict";
import { formatValue } from "../../src/model/units";
import { Correlation } from "./correlation";
import { Explorer } from "./explorer";
import { eventually } from "./eventually";
import { exclusiveByRank, ranks } from "./golden";
import { HeatflowViews } from "./heatflowViews";
import { Histogram } from "./histogram";
import { Keyboard } from "./keyboard";
import { stepsInWindow } from "./steps";
import { SuperGraph } from "./superGraph";
import { TextEditor } from "./textEditor";

const seconds = exclusiveByRank("updateConductivity");
const mean = (of: readonly number[]) => of.reduce((sum, rank) => sum + seconds[rank], 0) / of.length;
const everyRank = [...Array(ranks).keys()];

stepsInWindow("the histogram over ranks", {}, (here) => {
  let histogram: Histogram;
  const lens = (value: number) =>
    new TextEditor(here.window).codeLenses.filter({ hasText: `${formatValue(value, "s")} inclusive` });

  it("opens beside the editor and shows what a row of the hot functions stands for", async () => {
    await new Explorer(here.window).openRecording("profiles/profile-8ranks.cali");
    await here.window.statusBarItem("profile-8ranks").filter({ hasText: "mean over 8 ranks" }).waitFor();
    await new TextEditor(here.window).open("physics.cpp", 34);
    await lens(mean(everyRank)).waitFor();
    const views = new HeatflowViews(here.window);
    await views.show("Hot Functions");
    const row = views.row("Hot Functions", "updateConductivity");
    await here.window.chooseFromMenu(row, "Show Histogram over Ranks");
    histogram = await Histogram.of(here.window);
    await histogram.shows("updateConductivity · exclusive time · 8 ranks");
    // The file is still in sight.
    await lens(mean(everyRank)).waitFor();
  });

  it("has a bar per rank, ranks 0 and 4 first, each with its value", async () => {
    const order = everyRank.toSorted((x, y) => seconds[y] - seconds[x] || x - y);
    assert.deepEqual(order.slice(0, 2), [0, 4]);
    const shown = await histogram.bars();
    assert.deepEqual(
      shown.map((label) => /^rank (\d), exclusive time ([^,]*),/.exec(label)?.slice(1)),
      order.map((rank) => [String(rank), formatValue(seconds[rank], "s")]),
    );
  });

  it("restricts every number to the ranks that are brushed, with a chip", async () => {
    await histogram.brush("0", "4", "ranks 0, 4");
    await here.window.statusBarItem("mean over ranks 0, 4").waitFor();
    await lens(mean([0, 4])).waitFor();
    await histogram.frame.locator(".summary .wording:visible").filter({ hasText: "2 of 8 ranks chosen" }).waitFor();
  });

  it("takes that back with the chip", async () => {
    await histogram
      .chip("ranks 0, 4")
      .getByRole("button", { name: /^Remove/ })
      .click();
    await lens(mean(everyRank)).waitFor();
    await histogram.frame.locator(".chip").waitFor({ state: "hidden" });
    assert.equal(await histogram.frame.locator('.drawing [aria-checked="true"]').count(), 0);
  });

  it("works by keyboard alone", async () => {
    const keyboard = new Keyboard(here.window);
    await keyboard.press("Control+1");
    // A focus that comes late would be taken from the panel again.
    await here.window.page.locator(".monaco-editor.focused").first().waitFor();
    await keyboard.press("Control+Alt+H", "i");
    await keyboard.focusIn(histogram.frame, "Tab", '.drawing [role="option"]');
    await keyboard.focusIn(histogram.frame, "Home", '.drawing [data-key="member 0"]');
    await keyboard.press("Space");
    await histogram.chip("rank 0").waitFor();
    await lens(mean([0])).waitFor();
    await keyboard.press("Shift+ArrowRight");
    await histogram.chip("ranks 0, 4").waitFor();
    await lens(mean([0, 4])).waitFor();
    await keyboard.press("Escape");
    await lens(mean(everyRank)).waitFor();
    await keyboard.press("Enter");
    await new TextEditor(here.window).cursorAt("physics.cpp", 34);
  });

  it("opens below the super graph, of the bar whose menu it was asked of, and comes back after a reload", async () => {
    await here.window.closeAllEditors();
    await here.window.command("Heatflow: Show Super Graph");
    const graph = await SuperGraph.byFile(here.window);
    await graph.operate("physics.cpp", "Show histogram");
    histogram = await Histogram.of(here.window);
    await histogram.shows("physics.cpp · exclusive time · 8 ranks");
    await graph.selected("physics.cpp").waitFor();
    await here.window.reload();
    await SuperGraph.of(here.window);
    histogram = await Histogram.of(here.window);
    await histogram.shows("physics.cpp · exclusive time · 8 ranks");
  });

  it("leaves both drawings 300 pixels, also where it is asked for in the palette, with no empty group left", async () => {
    const graph = await SuperGraph.of(here.window);
    for (const again of [false, true]) {
      if (again) {
        await here.window.closeTab("Histogram");
        // Its page has the height of the window again, and has said so.
        await eventually(async () =>
          assert.ok(((await graph.frame.locator(".stage").boundingBox())?.height ?? 0) > 600),
        );
        await graph.frame.locator(".summary .wording:visible").click();
        await here.window.command("Heatflow: Show Histogram over Ranks");
        histogram = await Histogram.of(here.window);
      }
      const groups = here.window.page.locator(".editor-group-container");
      const [above, below] = [await SuperGraph.of(here.window), histogram].map(({ frame }) => frame.locator(".stage"));
      await eventually(async () => {
        assert.equal(await groups.count(), 2);
        assert.equal(await groups.and(here.window.page.locator(".empty")).count(), 0);
        const [upper, lower] = [await above.boundingBox(), await below.boundingBox()];
        assert.ok(upper && lower && lower.y > upper.y + upper.height && lower.x === upper.x);
        // What is said of a selected bar takes 25 of the upper one's.
        assert.ok(Math.min(upper.height + 25, lower.height) >= 300, `${upper.height} and ${lower.height} pixels`);
      });
    }
    await here.window.picture(".vscode-test/pictures/histogram-below.png");
  });

  it("makes way for a third panel, which would be too low below it", async () => {
    const graph = await SuperGraph.of(here.window);
    await graph.operate("physics.cpp", "Show histogram");
    await histogram.shows("physics.cpp · exclusive time · 8 ranks");
    await graph.operate("physics.cpp", "Correlate with");
    await Correlation.of(here.window);
    assert.equal(await here.window.page.locator(".editor-group-container").count(), 2);
    await graph.selected("physics.cpp").waitFor();
  });

  it("comes out from behind the panel that it is asked for from, which stays in sight", async () => {
    const correlation = await Correlation.of(here.window);
    await correlation.summary.click();
    await here.window.command("Heatflow: Show Histogram over Ranks");
    histogram = await Histogram.of(here.window);
    await histogram.shows("physics.cpp · exclusive time · 8 ranks");
    // Its page is another one where it has another place.
    await eventually(async (timeout) => (await Correlation.of(here.window)).summary.waitFor({ timeout }));
    assert.equal(await here.window.page.locator(".editor-group-container").count(), 2);
  });
});
