import { describe, expect, it, vi } from "vitest";
import type { StepsMessage } from "../../src/protocol/graphSteps";
import { indexOf, useSuperGraph } from "./useSuperGraph";
import { drawn, screenshot, themeNames } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useSuperGraph();

const steps: StepsMessage = {
  type: "steps",
  start: ["hide below 0.1 %", "by source file"],
  steps: [
    { key: 1, label: "split MPI by caller function", text: "split-by-caller MPI by function", done: true },
    {
      ...{ key: 4, label: "hide io.cpp", text: "hide io.cpp", done: true },
      problem: 'There is no group "io.cpp". There are "MPI", "main.cpp".',
    },
    {
      key: 2,
      label: "reveal updateConductivity in physics.cpp",
      text: "reveal updateConductivity in physics.cpp",
      done: true,
    },
    { key: 7, label: "expand solver.cpp", text: "expand solver.cpp", done: false },
  ],
  canUndo: true,
  canRedo: true,
};

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
      expect(await view.sent(), label).toEqual([{ type: "operate", kind, revision: 1, bar: halo }]);
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
    expect(await view.sent()).toEqual([{ type: "split-off", revision: 1, bar: mpi, entry: 1 }]);
  });

  it("collapses where something was expanded", async () => {
    const sample = await view.show();
    const bars = sample.message.bars.map((bar) => (bar.group === "solver.cpp" ? { ...bar, collapsible: "src" } : bar));
    await view.sendGraph({ ...sample.message, revision: 2, bars });
    await drawn(view.panel.page);
    await view.bar("solver.cpp").click({ button: "right" });
    await view.panel.page.getByRole("menuitem", { name: "Collapse to src" }).click();
    expect(await view.sent()).toEqual([
      { type: "operate", kind: "collapse", revision: 2, bar: indexOf(sample, "solver.cpp") },
    ]);
  });
});

describe("the list of steps", () => {
  const button = (name: string) => view.panel.page.getByRole("button", { name });
  const show = async (options = {}) => {
    const sample = await view.show(options);
    await view.panel.send(steps);
    await button("reveal updateConductivity").first().waitFor();
    await view.sent();
    return sample;
  };

  it("says what was done, what is undone, and what cannot be done and why", async () => {
    await show();
    const list = view.panel.page.getByRole("list", { name: "Steps of this graph" });
    expect((await list.innerText()).replace(/\s+/g, " ")).toBe(
      "hide below 0.1 % → by source file → split MPI by caller function × → ⚠ hide io.cpp × → " +
        "reveal updateConductivity in physics.cpp × → expand solver.cpp ×",
    );
    expect(await list.locator('[aria-current="step"]').innerText()).toBe("reveal updateConductivity in physics.cpp");
    expect(await button("expand solver.cpp, undone").evaluate((one) => getComputedStyle(one).textDecorationLine)).toBe(
      "line-through",
    );
    expect(await button("hide io.cpp, cannot be done").getAttribute("title")).toContain("There is no group");
  });

  it("is stepped through, and cut, by mouse", async () => {
    await show();
    await button("split MPI by caller function").first().click();
    await button("expand solver.cpp, undone").click();
    await button("hide below 0.1 %").click();
    await button("Remove hide io.cpp").click();
    await button("Undo (Ctrl+Z)").click();
    await button("Redo (Ctrl+Shift+Z)").click();
    expect(await view.sent()).toEqual([
      { type: "go-to-step", key: 1 },
      { type: "go-to-step", key: 7 },
      { type: "go-to-step", key: 0 },
      { type: "remove-step", key: 4 },
      { type: "steps-action", action: "undo" },
      { type: "steps-action", action: "redo" },
    ]);
    for (const [label, action] of [
      ["Save steps…", "save"],
      ["Apply saved steps…", "apply"],
      ["Copy as command line", "copy"],
      ["Remove all steps", "clear"],
    ]) {
      await button("Steps: save, apply, copy").click();
      await view.panel.page.getByRole("menuitem", { name: label }).click();
      expect(await view.sent()).toEqual([{ type: "steps-action", action }]);
    }
  });

  it("has one Tab stop; arrows lead on, Delete removes, Enter steps there", async () => {
    await show();
    expect(await view.panel.page.locator('.step-list [tabindex="0"]').count()).toBe(1);
    await view.panel.page.locator('.step-list [tabindex="0"]').focus();
    for (const key of ["ArrowRight", "ArrowRight", "Delete", "End", "Enter", "Home", "Delete"])
      await view.panel.page.keyboard.press(key);
    expect(await view.sent()).toEqual([
      { type: "remove-step", key: 4 },
      { type: "go-to-step", key: 7 },
    ]);
    // What was removed gives its place to the next one, and the focus with it.
    await view.panel.page.keyboard.press("ArrowRight");
    await view.panel.page.keyboard.press("ArrowRight");
    await view.panel.send({ ...steps, steps: steps.steps.filter(({ key }) => key !== 4) });
    await expect.poll(() => view.panel.page.evaluate(() => document.activeElement?.getAttribute("data-key"))).toBe("2");
  });

  it("undoes and redoes by key, but in a text field the text's own", async () => {
    await show();
    await view.bar("MPI").focus();
    for (const key of ["Control+z", "Control+Shift+Z", "Control+y"]) await view.panel.page.keyboard.press(key);
    expect((await view.sent()).map(({ action }) => action)).toEqual(["undo", "redo", "redo"]);
    await view.panel.page.locator('vscode-text-field[placeholder="Search"] input').focus();
    await view.panel.page.keyboard.press("Control+z");
    expect(await view.sent()).toEqual([]);
  });

  it("shows names of any kind as text, and ignores what is no list of steps", async () => {
    await show();
    const hostile = {
      ...steps.steps[0],
      key: 9,
      label: 'hide <img src=x onerror="document.title=1"> \u202e',
      text: "<b>",
    };
    await view.panel.send({ ...steps, steps: [hostile] });
    await button("hide <img").first().waitFor();
    expect(await view.panel.page.locator(".step-list img, .step-list b").count()).toBe(0);
    const manySteps = Array.from({ length: 101 }, (_, key) => ({ ...steps.steps[0], key }));
    for (const wrong of [
      { ...steps, steps: [{}] },
      { ...steps, steps: manySteps },
      { ...steps, canUndo: "yes" },
    ])
      await view.panel.send(wrong);
    await drawn(view.panel.page);
    expect(await view.panel.page.locator(".step").count()).toBe(2);
  });

  it("does not change the size of the drawing, however many steps there are", async () => {
    await show({ width: 400 });
    const height = () => view.panel.page.locator(".stage").evaluate((stage) => stage.getBoundingClientRect().height);
    const before = await height();
    const many = Array.from({ length: 60 }, (_, at) => ({ ...steps.steps[0], key: at + 1 }));
    await view.panel.send({ ...steps, steps: many });
    await drawn(view.panel.page);
    expect(await height()).toBe(before);
    expect(await view.panel.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
  });

  it.each(themeNames)("looks like the panel in %s, at 1,400 and at 600 pixels", async (theme) => {
    for (const width of [1400, 600]) {
      await show({ theme, width });
      await view.bar("solver.cpp").click({ button: "right" });
      await screenshot(view.panel.page, `steps-${theme}-${width}`);
      const shown = await view.panel.page.locator(".menu").boundingBox();
      expect(shown && shown.x >= 0 && shown.x + shown.width <= width).toBe(true);
    }
  });
});
