import fs from "node:fs";
import path from "node:path";
import { largeProfileDb } from "../unit/formats/hpctoolkit/v4/largeWriter";
import { metaDb } from "../unit/formats/hpctoolkit/v4/metaWriter";
import type { WrittenContext } from "../unit/formats/hpctoolkit/v4/written";

const CONTEXTS = 60_000;
const FAN_OUT = 4;
const FUNCTIONS = 2_000;

/**
 * Writes an HPCToolkit 4 database: a tree of functions with the inclusive and the exclusive time of every context in every
 * profile, as many profiles as it takes.
 *
 * @returns bytes of all files and the number of values
 */
export function writeDatabase(folder: string, bytes: number): { bytes: number; records: number } {
  const perProfile = CONTEXTS * 32;
  const profiles = Math.max(1, Math.round(bytes / perProfile));
  const children = Array.from({ length: CONTEXTS + 1 }, (): WrittenContext[] => []);
  const subtree = new Float64Array(CONTEXTS + 1).fill(1);
  for (let id = CONTEXTS; id >= 1; id--) {
    const parent = Math.floor((id + FAN_OUT - 2) / FAN_OUT);
    const name = `solver::step_${id % FUNCTIONS}(double*)`;
    children[parent].push({
      id,
      function: { name, file: "/home/me/solver.cpp", line: 1 + (id % FUNCTIONS), module: "/home/me/app" },
      children: children[id],
    });
    subtree[parent] += subtree[id];
  }
  const meta = metaDb({
    metrics: ["CPUTIME (sec)"],
    entries: [{ id: CONTEXTS + 1, name: "main thread", children: children[0] }],
    profiles: [],
  });
  fs.writeFileSync(path.join(folder, "meta.db"), meta);
  const out = fs.openSync(path.join(folder, "profile.db"), "w");
  let written = 0;
  const valueOf = (profile: number, context: number, metric: number) =>
    (metric === 3 ? subtree[context] : 1) * (1 + (profile % 7) / 8);
  for (const piece of largeProfileDb(profiles, CONTEXTS, valueOf)) written += fs.writeSync(out, piece);
  fs.closeSync(out);
  return { bytes: meta.length + written, records: 2 * CONTEXTS * profiles };
}
