const LIMIT_MS = 20_000;

/** Checks again until nothing is thrown; in the end throws what the last check threw. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
