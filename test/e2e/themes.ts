import type { Frame } from "playwright-core";
import type { Window } from "./window";

/** Name of a theme; as VS Code lists it; its kind, as VS Code tells panels. */
export const themes = [
  ["dark", "Dark Modern", "vscode-dark"],
  ["light", "Light Modern", "vscode-light"],
  ["high-contrast-dark", "Dark High Contrast", "vscode-high-contrast"],
  ["high-contrast-light", "Light High Contrast", "vscode-high-contrast-light"],
] as const;

/** Chooses a theme by VS Code's command, and waits until a panel has it. */
export async function chooseTheme(
  window: Window,
  panel: Frame,
  [, title, kind]: (typeof themes)[number],
): Promise<void> {
  await window.command("Preferences: Color Theme");
  // Only entries in sight are there to be picked.
  await window.quickInput.locator("input[type=text]").fill(title);
  await window.pick(title);
  await panel.locator(`body[data-vscode-theme-kind="${kind}"]`).waitFor();
}
