import fs from "node:fs";
import path from "node:path";

/**
 * The folder of recordings that conformance tests read in place: `HEATFLOW_SHARED`, else `../shared` beside the project.
 * Undefined where it is not there; under `HEATFLOW_CONFORMANCE=required` that is an error.
 */
export function recordings(): string | undefined {
  const folder = path.resolve(process.env.HEATFLOW_SHARED ?? "../shared");
  if (fs.existsSync(path.join(folder, "data"))) return folder;
  if (process.env.HEATFLOW_CONFORMANCE === "required")
    throw new Error(`HEATFLOW_CONFORMANCE=required, but there are no recordings in ${folder}; set HEATFLOW_SHARED.`);
  return undefined;
}

/** The sample program with its recordings, which the project carries. */
export const miniheat = path.resolve("examples/miniheat");
