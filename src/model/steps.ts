/** Longest time of steps in a row, in milliseconds. */
const STRETCH_MS = 25;

/** Long work in steps. Whoever asks for it decides what happens between them. */
export type Steps<Result> = Generator<void, Result>;

/** Does all steps at once. */
export function lastOf<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does all steps, and lets other events come between them, a cancel among them. The steps look for it. */
export async function paced<Result>(steps: Steps<Result>): Promise<Result> {
  for (let since = performance.now(); ;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - since < STRETCH_MS) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    since = performance.now();
  }
}
