import type { Frame } from "playwright-core";

/** Presses a tool of a panel: in its toolbar, or in the menu of what did not fit there. */
export async function pressTool(frame: Frame, name: string | RegExp): Promise<void> {
  const tool = frame.locator(".toolbar").getByRole("button", { name }).first();
  if (await tool.isVisible()) return tool.click();
  await frame.getByRole("button", { name: "More" }).click();
  await frame.locator(".menu-item").filter({ hasText: name }).first().click();
}
