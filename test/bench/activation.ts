import { Window } from "../e2e/window";
import { runFolder } from "../host/folders.mjs";

const ROUNDS = 7;

/**
 * Activation as VS Code itself measures it, loading of the bundle and the call of `activate` together, for each of several
 * starts of a window with the packaged extension.
 *
 * @returns milliseconds
 */
export async function benchActivation(): Promise<number[]> {
  process.env.HEATFLOW_E2E_FOLDER ??= runFolder("bench");
  const window = await Window.open();
  const times: number[] = [];
  try {
    // The first start after an installation fills VS Code's caches: it is not what a user waits for every day.
    for (let round = 0; round <= ROUNDS; round++) {
      if (round > 0) await window.restart();
      await window.command("Developer: Show Running Extensions");
      const row = window.page.locator(".runtime-extensions-editor .extension").filter({ hasText: "Heatflow" });
      const text = await row.locator(".activation-time").filter({ hasText: /\d+ms/ }).innerText();
      if (round > 0) times.push(Number(/(\d+)ms/.exec(text)?.[1]));
    }
  } finally {
    await window.close();
  }
  return times;
}
