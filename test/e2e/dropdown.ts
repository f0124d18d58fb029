import type { Locator } from "playwright-core";
import { eventually } from "./eventually";

/**
 * Chooses an entry of a panel's drop-down list with the mouse. A list closes when something else takes the focus, such as what was
 * opened before it and comes late: then it is opened again.
 */
export async function chooseFrom(list: Locator, entry: string): Promise<void> {
  const isOpen = async () => (await list.getAttribute("open")) !== null;
  await eventually(async (withinMs) => {
    if (!(await isOpen())) await list.click({ timeout: withinMs });
    await list.locator("vscode-option").filter({ hasText: entry }).first().click({ timeout: withinMs });
  });
}
