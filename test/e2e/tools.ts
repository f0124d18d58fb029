import type { Frame } from "playwright-core";

/** Presses a tool of a panel: in its toolbar, or in the menu of what did not fit there. */
export async function pressTool(frame: Frame, name: string | RegExp, timeout?: number): Promise<void> {
  const tool = frame.locator(".toolbar").getByRole("button", { name }).first();
  if (await tool.isVisible()) return tool.click({ timeout });
  await frame.getByRole("button", { name: "More" }).click({ timeout });
  const entry = frame.locator(".menu-item").filter({ hasText: name }).first();
  await entry.click({ timeout });
}
