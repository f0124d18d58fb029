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
  await window.command("Heatflow: Restrict to…");
  if (unit !== undefined) await window.pick(unit);
  await window.quickInput.getByText(prompt).waitFor();
  await input.fill(text);
  await input.press("Enter");
  await window.quickInput.waitFor({ state: "hidden" });
}
