import fs from "node:fs";
import path from "node:path";
import { afterAll } from "vitest";

/** What was compared of one format: real recordings against what their own tool, or another reader, says of them. */
export interface Compared {
  readonly recordings: number;
  readonly values: number;
  readonly largestDifference: number;
}

const compared = new Map<string, Compared>();

/** Adds to a format's row of the table that `npm test` prints. */
export function noteConformance(format: string, { recordings, values, largestDifference }: Compared): void {
  const row = compared.get(format) ?? { recordings: 0, values: 0, largestDifference: 0 };
  compared.set(format, {
    recordings: row.recordings + recordings,
    values: row.values + values,
    largestDifference: Math.max(row.largestDifference, largestDifference),
  });
}

// Test files run in processes of their own: each leaves its rows, and test/run.mjs puts them together.
afterAll(() => {
  const folder = process.env.HEATFLOW_CONFORMANCE;
  if (compared.size === 0) return;
  if (folder) fs.writeFileSync(path.join(folder, `${process.pid}-${Date.now()}.json`), JSON.stringify([...compared]));
  else console.table(Object.fromEntries(compared));
});
