import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Longest wait for a state: enough for a machine that is many times slower than a person's. Only a test that fails takes that
 * long.
 */
export const PATIENCE_MS = 60_000;

const FIRST_ATTEMPT_MS = 2000;

/** Set while `eventually` looks at a state. */
const looking = new AsyncLocalStorage<true>();

/** An input inside of `eventually`. A defect that a second click or key hides is a defect that users meet. */
export class RepeatedInput extends Error {}

/**
 * Waits for a state: repeats a check until nothing is thrown, and in the end throws what the last one threw. The check only reads:
 * an input in it ends the test ({@link actsOnce}).
 *
 * @param check is given how long it may wait inside: longer each time, so that a slow machine, too, comes to an end of one
 * @param patienceMs what the surrounding check has left, if there is one
 */
export async function eventually(check: (withinMs: number) => Promise<void>, patienceMs = PATIENCE_MS): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (let withinMs = FIRST_ATTEMPT_MS; ; withinMs *= 1.5) {
    try {
      return await looking.run(true, () => check(Math.min(withinMs, patienceMs)));
    } catch (error) {
      if (error instanceof RepeatedInput || Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Methods of Playwright's keyboard, mouse, locators and frames that a page takes for a user's input. */
const INPUTS = [
  "check",
  "clear",
  "click",
  "dblclick",
  "down",
  "dragTo",
  "fill",
  "insertText",
  "press",
  "pressSequentially",
  "selectOption",
  "setChecked",
  "tap",
  "type",
  "uncheck",
  "wheel",
] as const;

const guarded = new WeakSet<object>();

/**
 * Makes every input of an object's class throw {@link RepeatedInput} while `eventually` looks at a state.
 *
 * @param inputs a keyboard, mouse, locator, frame or page
 */
export function actsOnce(inputs: object): void {
  const prototype = Object.getPrototypeOf(inputs) as Record<string, unknown>;
  if (guarded.has(prototype)) return;
  guarded.add(prototype);
  for (const name of INPUTS) {
    const act = prototype[name];
    if (typeof act !== "function") continue;
    prototype[name] = function (this: unknown, ...args: unknown[]): unknown {
      if (looking.getStore()) throw new RepeatedInput(`${name} is repeated until a state comes: act once, then wait.`);
      return act.apply(this, args);
    };
  }
}
