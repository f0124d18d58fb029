import fs from "node:fs";
import path from "node:path";

/** What was compared of one format: real recordings against what their own tool, or another reader, says of them. */
export interface Compared {
  readonly recordings: number;
  readonly values: number;
  readonly largestDifference: number;
}

/** Adds to a format's row of the table that `npm test` prints: it puts together what all processes of the tests leave. */
export function noteConformance(format: string, compared: Compared): void {
  const folder = process.env.HEATFLOW_CONFORMANCE_TABLE;
  if (folder) fs.appendFileSync(path.join(folder, `${process.pid}.jsonl`), `${JSON.stringify([format, compared])}\n`);
}
