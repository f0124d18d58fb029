import { describe, expect, it, vi } from "vitest";
import { scatterControls } from "./miniheatScatter";
import { useCorrelation } from "./useCorrelation";
import { doubleClickAround, drawn, middleOf } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

const view = useCorrelation();
const focused = () => view.panel.page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
const press = async (...keys: string[]) => {
  for (const key of keys) await view.panel.page.keyboard.press(key);
};
const choices = async () =>
  (await view.sent()).filter(({ type }) => type === "choose").map(({ marks }) => [...(marks as number[])].sort());
const chosenPoints = () =>
  view.panel.page
    .locator('.point[aria-selected="true"]')
    .evaluateAll((points) => points.map((point) => point.getAttribute("aria-label")?.split(",")[0]).sort());

describe("choosing members", () => {
  it("by mouse: a brush chooses, with a key held down it adds, over nothing it chooses none", async () => {
    await view.show();
    await view.drag([view.point("rank 0"), view.point("rank 4")]);
    expect(await choices()).toEqual([[0, 4]]);
    await expect.poll(chosenPoints).toEqual(["rank 0", "rank 4"]);
    await view.panel.page.keyboard.down("Shift");
    await view.drag([view.point("rank 5")], 2);
    await view.panel.page.keyboard.up("Shift");
    expect(await choices()).toEqual([[0, 4, 5]]);
    await view.point("rank 5").click({ modifiers: ["Control"] });
    expect(await choices()).toEqual([[0, 4]]);
    // A plain click leads to a point and changes no number.
    await view.point("rank 5").click();
    expect(await choices()).toEqual([]);
    expect(await focused()).toMatch(/^rank 5,/);
    const { x, y } = (await view.point("rank 0").boundingBox()) ?? expect.fail();
    await view.panel.page.mouse.move(x - 300, y - 60);
    await view.panel.page.mouse.down();
    await view.panel.page.mouse.move(x - 200, y - 20, { steps: 3 });
    await view.panel.page.mouse.up();
    expect(await choices()).toEqual([[]]);
  });

  it("by keyboard: points in the order of x, Space toggles, Shift extends, Escape takes back", async () => {
    const { answer } = await view.show();
    const byX = [...answer.x.keys()].sort((a, b) => answer.x[a] - answer.x[b]);
    await view.panel.page.locator(".point[tabindex='0']").focus();
    const seen = [await focused()];
    for (let step = 1; step < 8; step++) {
      await press("ArrowRight");
      seen.push(await focused());
    }
    expect(seen.map((label) => Number(/^rank (\d)/.exec(label)?.[1]))).toEqual(byX);
    await press("ArrowRight");
    expect(await focused()).toBe(seen[7]);
    await press("Space");
    expect(await choices()).toEqual([[0]]);
    await press("Shift+ArrowLeft");
    expect(await choices()).toEqual([[0, 4]]);
    await press("Shift+ArrowLeft", "Shift+ArrowRight");
    expect(await choices()).toEqual([[0, 4, byX[5]].sort(), [0, 4]]);
    await press("Home", "Space");
    expect(await choices()).toEqual([[0, 4, byX[0]].sort()]);
    await press("Space");
    expect(await choices()).toEqual([[0, 4]]);
    await press("Escape");
    expect(await choices()).toEqual([[]]);
    await expect.poll(chosenPoints).toEqual([]);
  });

  it("by the menu, and gives the brush up with Escape", async () => {
    await view.show();
    await view.point("rank 3").focus();
    await press("Shift+F10");
    await view.panel.page.getByRole("menuitem", { name: "Choose rank 3 only" }).click();
    await view.point("rank 4").click({ button: "right" });
    await view.panel.page.getByRole("menuitem", { name: "Choose the others instead" }).click();
    expect(await choices()).toEqual([[3], [0, 1, 2, 4, 5, 6, 7]]);
    const { x, y } = (await view.point("rank 0").boundingBox()) ?? expect.fail();
    await view.panel.page.mouse.move(x - 30, y - 30);
    await view.panel.page.mouse.down();
    await view.panel.page.mouse.move(x + 30, y + 30, { steps: 3 });
    await press("Escape");
    await view.panel.page.mouse.up();
    expect(await choices()).toEqual([]);
    await expect.poll(() => view.panel.page.locator(".brush").getAttribute("visibility")).toBe("hidden");
  });

  it("follows what is chosen elsewhere, but for answers to an earlier choice", async () => {
    await view.show();
    await view.panel.send({ type: "chosen", revision: 1, choice: 0, chosen: [2] });
    await expect.poll(chosenPoints).toEqual(["rank 2"]);
    await view.panel.page.locator(".point[tabindex='0']").focus();
    await press("End", "Space", "Shift+ArrowLeft");
    await expect.poll(chosenPoints).toEqual(["rank 0", "rank 4"]);
    await view.panel.send({ type: "chosen", revision: 1, choice: 1, chosen: [0] });
    await drawn(view.panel.page);
    await expect.poll(chosenPoints).toEqual(["rank 0", "rank 4"]);
    await view.panel.send({ type: "chosen", revision: 1, choice: 2 });
    await expect.poll(chosenPoints).toEqual([]);
    await view.panel.send({ type: "chosen", revision: 9, choice: 9, chosen: [1] });
    await drawn(view.panel.page);
    expect(await chosenPoints()).toEqual([]);
  });
});

describe("points that are functions", () => {
  it("are selected by a click, by Space and by a brush, and gone to by a double click and by Enter", async () => {
    const { message } = await view.show({}, { points: "function" });
    const markOf = (name: string) => message.called.findIndex((at) => message.names[at] === name);
    const point = view.point("updateConductivity");
    await point.click();
    const mark = markOf("updateConductivity");
    expect(await view.sent()).toEqual([{ type: "select", revision: 1, mark }]);
    await press("Space", "Enter");
    expect(await view.sent()).toEqual([
      { type: "select", revision: 1, mark },
      { type: "open", revision: 1, mark },
    ]);
    await point.dblclick();
    expect((await view.sent()).at(-1)).toEqual({ type: "open", revision: 1, mark });
    await view.drag([point], 4);
    expect(await view.sent()).toEqual([{ type: "select", revision: 1, mark }]);
    await view.panel.send({ type: "selection", revision: 1, mark: markOf("main") });
    await expect.poll(chosenPoints).toEqual(["main"]);
  });

  it("are what a double click began on, though a notice moves them before its second click", async () => {
    const { message } = await view.show({}, { points: "function" });
    const at = await middleOf(view.point("updateConductivity"));
    await doubleClickAround(view.panel.page, at, async () => {
      await view.panel.send({ type: "notice", message: "Something to be said. ".repeat(60) });
      await expect.poll(async () => (await middleOf(view.point("updateConductivity"))).y).not.toBeCloseTo(at.y, -1);
      await drawn(view.panel.page);
    });
    const mark = message.called.findIndex((place) => message.names[place] === "updateConductivity");
    expect((await view.sent()).at(-1)).toEqual({ type: "open", revision: 1, mark });
  });

  it("are not opened by a double click on a row during which another scatter came", async () => {
    const { message } = await view.show({}, { points: "function" });
    const { page } = view.panel;
    await page.getByRole("button", { name: "Table: the same numbers as rows" }).click();
    await drawn(page);
    const at = await middleOf(page.locator(".twin tbody tr").filter({ hasText: "updateConductivity" }).first());
    const called = [...message.called].reverse();
    const [xs, ys] = [[...message.xs].reverse(), [...message.ys].reverse()];
    await doubleClickAround(page, at, async () => {
      await view.panel.send({ ...message, revision: 2, called, xs, ys });
      await drawn(page);
    });
    const sent = await view.sent();
    expect(sent.some(({ type }) => type === "select")).toBe(true);
    expect(sent.filter(({ type }) => type === "open")).toEqual([]);
  });
});

describe("controls", () => {
  const list = (label: string) => view.panel.page.locator(`vscode-dropdown[aria-label="${label}"]`);
  const pick = async (label: string, entry: string) => {
    await list(label).click();
    await list(label).locator("vscode-option").filter({ hasText: entry }).click();
  };

  it("ask for other points, metrics, values and things", async () => {
    await view.show();
    await pick("Points", "functions");
    await pick("x: value", "inclusive");
    await pick("x: metric", "as elsewhere");
    await pick("x: of", "pin updateConductivity");
    await pick("y: of", "whole recording");
    await view.panel.page.getByRole("button", { name: "Swap the axes" }).click();
    expect(await view.sent()).toEqual([
      { type: "set-points", points: "function" },
      { type: "set-axis", axis: "x", value: "inclusive" },
      { type: "set-axis", axis: "x", of: "pin" },
      { type: "set-axis", axis: "y", of: "whole" },
      { type: "swap-axes" },
    ]);
  });

  it("take a restriction back by its chip", async () => {
    await view.show({}, { ranks: [0, 4] });
    await view.panel.send({ ...scatterControls, restriction: "ranks 0, 4" });
    await view.panel.page.getByRole("button", { name: "Remove the restriction" }).click();
    expect(await view.sent()).toEqual([{ type: "clear-restriction" }]);
  });

  it("find points by number or name, and Enter leads from one to the next", async () => {
    await view.show();
    const search = view.panel.page.locator('vscode-text-field[placeholder="Search"] input');
    await search.fill("4, 0");
    expect(await view.panel.page.locator(".found").innerText()).toBe("2 of 8 ranks found");
    await search.press("Enter");
    await view.panel.page.getByRole("tooltip").filter({ hasText: "rank 4" }).waitFor();
    await search.press("Enter");
    await view.panel.page.getByRole("tooltip").filter({ hasText: "rank 0" }).waitFor();
  });

  it("come back as they were left", async () => {
    await view.show();
    await view.panel.page.getByRole("button", { name: "Table: the same numbers as rows" }).click();
    await view.panel.page.locator('vscode-text-field[placeholder="Search"] input').fill("4");
    const kept = await view.panel.kept();
    expect(kept).toEqual({ ...scatterControls.restore, table: true, search: "4" });
    await view.show({ kept });
    expect(await view.panel.page.locator(".found").innerText()).toBe("1 of 8 ranks found");
    expect(await view.panel.page.locator(".twin tbody tr").count()).toBe(1);
    const table = (pressed: boolean) =>
      view.panel.page.getByRole("button", { name: "Table: the same numbers as rows", pressed });
    await table(true).click();
    await table(false).waitFor();
    expect(await view.panel.page.locator(".twin").isVisible()).toBe(false);
  });
});

describe("the table", () => {
  it("has every point with both values, and chooses as the drawing does", async () => {
    const { message } = await view.show();
    await view.panel.page.getByRole("button", { name: "Table: the same numbers as rows" }).click();
    expect(await view.panel.page.locator(".twin tbody tr").count()).toBe(message.called.length);
    await view.panel.page.locator(".twin tbody tr", { hasText: "rank 4" }).click();
    expect(await choices()).toEqual([[4]]);
    await view.panel.page.locator(".twin tbody tr", { hasText: "rank 4" }).filter({ hasText: "yes" }).waitFor();
  });
});

describe("saving", () => {
  it("gives a picture that stands alone, and a table with full precision", async () => {
    const { answer } = await view.show();
    const svg = await view.save("svg");
    expect(svg).toMatch(/^<\?xml/);
    expect(svg).not.toMatch(/var\(--/);
    expect(svg).toContain("best-fit line: r -0.998");
    expect(
      Buffer.from(await view.save("png"), "base64")
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
    const csv = (await view.save("csv")).split("\r\n");
    answer.x.forEach((value, rank) => expect(csv).toContain(`${rank},${value},${answer.y[rank]},`));
    expect(answer.fit.kind === "line" && csv.includes(`r,${answer.fit.r},,`)).toBe(true);
  });
});
