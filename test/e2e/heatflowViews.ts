import type { Locator } from "playwright-core";
import { isSteady } from "./steady";
import type { Window } from "./window";

/** The three native trees of Heatflow's container. */
export class HeatflowViews {
  constructor(private readonly window: Window) {}

  async show(view: "Data Sets" | "Hot Functions" | "Calling Contexts"): Promise<void> {
    await this.window.command(`Heatflow: Focus on ${view} View`);
    await this.pane(view).locator(".pane-body").waitFor();
  }

  /** A row by what a screen reader says of it, from its beginning. */
  row(view: string, label: string): Locator {
    return this.pane(view)
      .locator(`.monaco-list-row[aria-label^=${JSON.stringify(label)}]`)
      .first();
  }

  /** Clicks a row that stands in no other, once rows have come to rest: VS Code shows other rows in the elements of earlier ones. */
  async clickRoot(view: string, label: string): Promise<void> {
    const root = this.row(view, label).and(this.window.page.locator('[aria-level="1"]'));
    await root.waitFor();
    await isSteady(this.window.page.mainFrame(), ".pane .monaco-list-row");
    await root.click();
  }

  /** The row that is selected, at its depth in the tree. */
  selected(view: string, label: string, level: number): Locator {
    return this.pane(view).locator(
      `.monaco-list-row[aria-label^=${JSON.stringify(label)}][aria-level="${level}"][aria-selected="true"]`,
    );
  }

  /** What a view's title says beside its name. */
  description(view: string, text: string): Locator {
    return this.pane(view).locator(".pane-header .description").filter({ hasText: text });
  }

  /** A button in a view's title. */
  async press(view: string, title: string): Promise<void> {
    const pane = this.pane(view);
    await pane.locator(".pane-header").hover();
    await pane.locator(`.pane-header .action-label[aria-label^=${JSON.stringify(title)}]`).click();
  }

  /** The message above a view's rows. */
  message(view: string, text: string | RegExp): Locator {
    return this.pane(view).locator(".message").filter({ hasText: text });
  }

  async unfold(view: string, label: string): Promise<void> {
    const row = this.row(view, label);
    await row.waitFor();
    if ((await row.getAttribute("aria-expanded")) === "true") return;
    await row.locator(".monaco-tl-twistie").click();
    await row.and(this.window.page.locator('[aria-expanded="true"]')).waitFor();
  }

  /** Closes every editor and every data set. */
  async closeDataSets(): Promise<void> {
    const { window } = this;
    await window.closeAllEditors();
    await this.show("Data Sets");
    const welcome = this.pane("Data Sets").locator(".welcome-view-content");
    const data = this.pane("Data Sets").locator(".monaco-list-row");
    // A test that failed may have left any number.
    await welcome.or(data).first().waitFor();
    if (await welcome.isVisible()) return;
    await window.command("Heatflow: Close All Data Sets");
    await welcome.waitFor();
  }

  private pane(view: string): Locator {
    const { page } = this.window;
    return page.locator(".pane").filter({ has: page.locator(".pane-header h3", { hasText: view }) });
  }
}
