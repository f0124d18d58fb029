/**
 * For how long a state is waited for: enough for a machine that is many times slower than a person's. Only a test that fails
 * takes that long.
 */
export const PATIENCE_MS = 60_000;

const FIRST_ATTEMPT_MS = 2000;

/**
 * Tries again until nothing is thrown; in the end throws what the last attempt threw.
 *
 * @param attempt is told for how long to wait within it: longer each time, so that a slow machine, too, comes to an end of one
 * @param patienceMs where it is part of another attempt, what that has left
 */
export async function eventually(
  attempt: (withinMs: number) => Promise<void>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (let withinMs = FIRST_ATTEMPT_MS; ; withinMs *= 1.5) {
    try {
      return await attempt(Math.min(withinMs, patienceMs));
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
