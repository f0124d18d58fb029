import { describe, expect, it, vi } from "vitest";
import type { FrameMessage, Step } from "../../src/protocol/frame";
import { entryMark, indexOf } from "./superGraphSamples";
import { useSuperGraph } from "./useSuperGraph";
import { drawn, screenshot, seenThemes } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();

const steps: readonly Step[] = [
  { id: "start", text: "profile-8ranks.cali" },
  { id: "start filter", text: "≥ 0.1 %" },
  { id: "1", text: "split MPI by caller function", title: "split-by-caller MPI by function", removable: true },
  {
    id: "4",
    text: "hide io.cpp",
    removable: true,
    problem: 'There is no group "io.cpp". There are "MPI", "main.cpp".',
  },
  { id: "2", text: "reveal updateConductivity in physics.cpp", removable: true },
  { id: "7", text: "expand solver.cpp", removable: true, undone: true },
];

describe("the menu of a bar", () => {
  it("offers every operation by mouse, names the level, and says why something cannot be done", async () => {
    const sample = await view.show();
    const halo = indexOf(sample, "halo.cpp");
    const offered = [
      ["Split by caller group", "split-by-caller-group"],
      ["Split by caller function", "split-by-caller-function"],
      ["Split by entry function…", "split-by-entry"],
      ["Reveal a function…", "reveal"],
      ["Expand by ", "expand"],
      ["Hide", "hide"],
    ];
    const items = view.panel.page.getByRole("menuitem");
    for (const [label, kind] of offered) {
      await view.bar("halo.cpp").click({ button: "right" });
      await view.panel.page.getByRole("menuitem", { name: new RegExp(`^${label}`) }).click();
      expect(await view.sent(), label).toEqual([{ type: "mark", action: kind, revision: 1, mark: halo }]);
    }
    await view.bar("main.cpp").click({ button: "right" });
    const byCaller = items.filter({ hasText: "Split by caller group" });
    expect(await byCaller.getAttribute("aria-disabled")).toBe("true");
    expect(await byCaller.innerText()).toContain("nothing calls it");
    await byCaller.click({ force: true });
    expect(await view.sent()).toEqual([]);
  });

  it("splits an entry off by keyboard, from the entry's own menu", async () => {
    const sample = await view.show();
    const mpi = indexOf(sample, "MPI");
    await view.bar("MPI").focus();
    const { keyboard } = view.panel.page;
    for (const key of ["Tab", "ArrowRight", "Shift+F10"]) await keyboard.press(key);
    const label = `Split off ${sample.graph.bars[mpi].entries[1].name}`;
    const focused = () => view.panel.page.evaluate(() => document.activeElement?.textContent ?? "");
    for (let presses = 0; presses < 20 && (await focused()) !== label; presses++) await keyboard.press("ArrowDown");
    expect(await focused()).toBe(label);
    await keyboard.press("Enter");
    const mark = entryMark(sample.shown.content, mpi, 1);
    expect(await view.sent()).toEqual([{ type: "mark", action: "split-off", revision: 1, mark }]);
  });

  it("collapses where something was expanded", async () => {
    const sample = await view.show();
    const { content } = sample.shown;
    const solver = indexOf(sample, "solver.cpp");
    const collapsible = content.bars.collapsible.map((_, bar) => (bar === solver ? content.texts.length : -1));
    const changed = { ...content, texts: [...content.texts, "src"], bars: { ...content.bars, collapsible } };
    await view.sendGraph(sample, { revision: 2, content: changed });
    await drawn(view.panel.page);
    await view.bar("solver.cpp").click({ button: "right" });
    await view.panel.page.getByRole("menuitem", { name: "Collapse to src" }).click();
    expect(await view.sent()).toEqual([{ type: "mark", action: "collapse", revision: 2, mark: solver }]);
  });
});

describe("the steps", () => {
  const step = (text: string) => view.panel.page.getByRole("button", { name: text });
  const row = () => view.panel.page.getByRole("toolbar", { name: "Steps and restrictions" });
  const withSteps = (all: readonly Step[]) => (message: FrameMessage) => ({ ...message, steps: all.slice() });
  const show = async (options = {}) => {
    const sample = await view.show(options);
    await view.sendFrame(sample, { frame: withSteps(steps) });
    await step("reveal updateConductivity").first().waitFor();
    await view.sent();
    return sample;
  };

  it("say what was done, what is undone, and what cannot be done and why", async () => {
    await show();
    const texts = await row()
      .locator(".step:visible")
      .evaluateAll((all) => all.map((one) => one.textContent));
    expect(texts.filter((text) => text !== "…")).toEqual(steps.map(({ text }) => text));
    expect(await row().locator('[aria-current="step"]').innerText()).toBe("reveal updateConductivity in physics.cpp");
    const undone = step("expand solver.cpp (undone)");
    expect(await undone.evaluate((one) => getComputedStyle(one).textDecorationLine)).toBe("line-through");
    const impossible = step("hide io.cpp (cannot be done: There is no group");
    expect(await impossible.getAttribute("data-hint")).toContain("There is no group");
    expect(await impossible.locator("svg").count()).toBe(1);
  });

  it("are stepped through, and cut, by mouse", async () => {
    await show();
    const { page } = view.panel;
    await step("split MPI by caller function").first().click();
    await step("expand solver.cpp (undone)").click();
    await row().getByRole("button", { name: "≥ 0.1 %" }).click();
    await step("hide io.cpp").first().click({ button: "right" });
    await page.getByRole("menuitem", { name: "Remove this step" }).click();
    expect(await view.sent()).toEqual([
      { type: "step", id: "1" },
      { type: "step", id: "7" },
      { type: "step", id: "start filter" },
      { type: "remove-step", id: "4" },
    ]);
  });

  it("are undone, redone, saved, applied, copied and cleared by the toolbar", async () => {
    const operations = [{ kind: "hide", target: { group: "MPI" } }] as const;
    await view.show({}, { operations });
    const { page } = view.panel;
    await page.locator('[data-tool="undo"]').click();
    // Nothing was undone: it says so, and does nothing.
    expect(await page.locator('[data-tool="redo"]').getAttribute("aria-disabled")).toBe("true");
    await page.locator('[data-tool="redo"]').click({ force: true });
    expect(await view.sent()).toEqual([{ type: "control", id: "undo", value: "" }]);
    for (const [label, value] of [
      ["Save steps…", "save"],
      ["Apply saved steps…", "apply"],
      ["Copy as command line", "copy"],
      ["Remove all steps", "clear"],
    ]) {
      await view.tool("steps", "Steps");
      await page.getByRole("menuitem", { name: label }).click();
      expect(await view.sent()).toEqual([{ type: "control", id: "steps", value }]);
    }
  });

  it("have one Tab stop; arrows lead on, Delete removes, Enter steps there", async () => {
    const sample = await show();
    const { keyboard } = view.panel.page;
    expect(await row().locator('[tabindex="0"]').count()).toBe(1);
    await row().locator('[tabindex="0"]').focus();
    for (const key of [
      "Home",
      "ArrowRight",
      "ArrowRight",
      "ArrowRight",
      "Delete",
      "End",
      "ArrowLeft",
      "Enter",
      "Home",
      "Delete",
    ])
      await keyboard.press(key);
    expect(await view.sent()).toEqual([
      { type: "remove-step", id: "4" },
      { type: "step", id: "7" },
    ]);
    // What was removed gives its place to the next one, and the focus with it.
    for (const key of ["ArrowRight", "ArrowRight", "ArrowRight"]) await keyboard.press(key);
    await view.sendFrame(sample, { frame: withSteps(steps.filter(({ id }) => id !== "4")) });
    await expect
      .poll(() => view.panel.page.evaluate(() => document.activeElement?.getAttribute("data-step")))
      .toBe("2");
  });

  it("are undone and redone by key, but in a text field the keys are the text's own", async () => {
    const operations = [
      { kind: "hide", target: { group: "MPI" } },
      { kind: "hide", target: { group: "halo.cpp" } },
    ] as const;
    const sample = await view.show({}, { operations });
    const enabled = (message: FrameMessage): FrameMessage => ({
      ...message,
      controls: message.controls.map((control) =>
        control.kind === "tool" ? { ...control, disabled: undefined } : control,
      ),
    });
    await view.sendFrame(sample, { frame: enabled });
    await view.bars().first().focus();
    for (const key of ["Control+z", "Control+Shift+Z", "Control+y"]) await view.panel.page.keyboard.press(key);
    expect((await view.sent()).map(({ id }) => id)).toEqual(["undo", "redo", "redo"]);
    const field = await view.search("x");
    await field.press("Control+z");
    expect(await view.sent()).toEqual([]);
  });

  it("show names of any kind as text, and what is no list of steps is ignored", async () => {
    const sample = await show();
    const text = 'hide <img src=x onerror="document.title=1"> \u202e';
    await view.sendFrame(sample, { frame: withSteps([{ id: "9", text, title: "<b>" }]) });
    await step("hide <img").first().waitFor();
    expect(await row().locator("img, b").count()).toBe(0);
    const many = Array.from({ length: 301 }, (_, id) => ({ id: String(id), text: "x" }));
    const wrong: ((message: FrameMessage) => object)[] = [
      (message) => ({ ...message, steps: [{}] }),
      withSteps(many),
      (message) => ({ ...message, steps: [{ id: "1", text: "x", undone: "yes" }] }),
    ];
    for (const change of wrong) await view.sendFrame(sample, { frame: (message) => change(message) as FrameMessage });
    await drawn(view.panel.page);
    expect(await row().locator(".part").count()).toBe(1);
  });

  it("do not change the size of the drawing, however many there are", async () => {
    const sample = await show({ width: 400 });
    const height = () => view.panel.page.locator(".stage").evaluate((stage) => stage.getBoundingClientRect().height);
    const before = await height();
    const many = Array.from({ length: 60 }, (_, at) => ({ ...steps[2], id: String(at) }));
    await view.sendFrame(sample, { frame: withSteps(many) });
    await drawn(view.panel.page);
    expect(await height()).toBe(before);
    expect(await view.panel.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
  });

  it.each(seenThemes)("look like the panel in %s, at 1,400 and at 600 pixels", async (theme) => {
    for (const width of [1400, 600]) {
      await show({ theme, width });
      await view.bar("solver.cpp").click({ button: "right" });
      await screenshot(view.panel.page, `steps-${theme}-${width}`);
      const shown = await view.panel.page.locator(".menu").boundingBox();
      expect(shown && shown.x >= 0 && shown.x + shown.width <= width).toBe(true);
    }
  });
});
