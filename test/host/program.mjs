/**
 * Runs a program of this rig: what it gives is the exit code, and an error is its message, since all of them are meant for the
 * person at the terminal.
 *
 * @param {() => Promise<number | void> | number | void} run
 */
export async function program(run) {
  try {
    process.exitCode = (await run()) ?? 0;
  } catch (error) {
    console.error(error instanceof Error ? (process.env.HEATFLOW_DEBUG ? error.stack : error.message) : error);
    process.exitCode = 1;
  }
}
