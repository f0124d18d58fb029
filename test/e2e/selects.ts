import type { Frame } from "playwright-core";
import { eventually } from "./eventually";

/** Chooses an entry of a select of a panel's toolbar with the mouse, by the select's id (`groupBy`, `over`). */
export async function chooseInSelect(frame: Frame, id: string, entry: string): Promise<void> {
  const menu = frame.getByRole("menu");
  await eventually(async (withinMs) => {
    if (!(await menu.isVisible())) await frame.locator(`[data-select="${id}"]`).click({ timeout: withinMs });
    await menu.getByRole("menuitemradio", { name: entry }).first().click({ timeout: withinMs });
    await menu.waitFor({ state: "hidden", timeout: withinMs });
  });
}
