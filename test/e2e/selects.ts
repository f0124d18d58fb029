import type { Frame } from "playwright-core";

/** Chooses an entry of a select of a panel's toolbar with the mouse, by the select's id (`groupBy`, `over`). */
export async function chooseInSelect(frame: Frame, id: string, entry: string): Promise<void> {
  const menu = frame.getByRole("menu");
  await frame.locator(`[data-select="${id}"]`).click();
  await menu.getByRole("menuitemradio", { name: entry }).first().click();
  await menu.waitFor({ state: "hidden" });
}
