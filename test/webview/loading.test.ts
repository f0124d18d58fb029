import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { drawn, type PanelPage, PanelWindow } from "./window";

vi.mock("vscode", () => import("./fakeVsCode"));

describe("a panel whose files VS Code does not find", () => {
  let panels: PanelWindow;

  beforeAll(async () => {
    panels = await PanelWindow.start("superGraph", "Super Graph");
  });
  afterAll(() => panels.stop());
  afterEach(async ({ task }) => {
    // What was not found is told by the browser; the page itself breaks no policy.
    for (const problem of await panels.endTest(task.result?.state === "fail"))
      expect(problem).toMatch(/^Failed to load resource: the server responded with a status of 40[48]/);
  });

  /** Opens the panel while the first requests for a file fail. */
  async function open(file: string, failing: number, status = 404): Promise<PanelPage> {
    const { page } = await panels.open();
    await page.route(`**/${file}`, (route) => route.fulfill({ status, body: "" }), { times: failing });
    return panels.open();
  }

  it("asks for its script again, and is ready", async () => {
    const { page } = await open("superGraph.js", 2, 408);
    await page.waitForFunction(() => (window as unknown as { sent: unknown[] }).sent.length > 0);
    expect(await page.locator("svg.drawing").count()).toBe(1);
  });

  it("asks for its style sheet again", async () => {
    const { page } = await open("superGraph.css", 1);
    await expect
      .poll(() => page.evaluate(() => getComputedStyle(document.querySelector(".stage") as Element).position))
      .toBe("relative");
  });

  it("is usable without its style sheet", async () => {
    let asked = 0;
    const { page } = await panels.open();
    await page.route("**/superGraph.css", (route) => {
      asked++;
      return route.fulfill({ status: 404, body: "" });
    });
    await panels.open();
    // Six attempts, each later than the one before, take five seconds; the seventh answer is the last.
    await expect.poll(() => asked, { timeout: 15_000 }).toBe(7);
    await drawn(page);
    expect(await page.locator("svg.drawing").count()).toBe(1);
  });

  it("asks for each of them as often as for one alone", async () => {
    const { page } = await panels.open();
    for (const file of ["superGraph.js", "superGraph.css"])
      await page.route(`**/${file}`, (route) => route.fulfill({ status: 404, body: "" }), { times: 5 });
    await panels.open();
    await page.waitForFunction(() => (window as unknown as { sent: unknown[] }).sent.length > 0);
    expect(await page.locator("svg.drawing").count()).toBe(1);
  });

  it("says so in the end", async () => {
    const { page } = await open("superGraph.js", 100);
    await expect.poll(() => page.locator("main").innerText(), { timeout: 15_000 }).toContain("did not load this page");
  });
});
