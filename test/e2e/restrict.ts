import { eventually } from "./eventually";
import type { Window } from "./window";

/** Chooses by the command, as a person writes it. */
export async function restrict(window: Window, text: string, unit?: string): Promise<void> {
  await answer(window, text, unit, /There are \d+ /);
}

/** A window of time, of a recording with events. */
export async function restrictToTime(window: Window, text: string): Promise<void> {
  await answer(window, text, "Window of time", /The run is /);
}

async function answer(window: Window, text: string, unit: string | undefined, prompt: RegExp): Promise<void> {
  const input = window.quickInput.locator("input[type=text]");
  // A webview that was clicked just before may take the focus late, which ends the question: it is asked again.
  await eventually(async (withinMs) => {
    await window.command("Heatflow: Restrict to…");
    if (unit !== undefined) await window.pick(unit, withinMs);
    await window.quickInput.getByText(prompt).waitFor({ timeout: withinMs });
    await input.fill(text, { timeout: withinMs });
    await input.press("Enter", { timeout: withinMs });
  });
  await window.quickInput.waitFor({ state: "hidden" });
}
