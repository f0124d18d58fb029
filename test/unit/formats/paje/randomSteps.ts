import fc from "fast-check";
import { headOf } from "./writer";

/** What happens on three ranks: times are eighths of a second, values have names of one to six letters. */
const VALUES = ["a", "MPI_Send", "abc", "compute", "sleep", "Z"];

export interface Step {
  readonly rank: number;
  readonly eighths: number;
  readonly does: string;
  readonly value: string;
}

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    rank: fc.integer({ min: 0, max: 2 }),
    eighths: fc.integer({ min: 0, max: 5 }),
    does: fc.constantFrom("push", "push", "push", "pop", "pop", "set", "reset", "link", "variable"),
    value: fc.constantFrom(...VALUES),
  }),
  { minLength: 1, maxLength: 60 },
);

/** @param zeroSeconds time of the first line, in eighths of a second */
export function textOf(all: readonly Step[], zeroSeconds = 0): string {
  const lines = ["0 P 0 Rank", "2 S P STATE", "1 V P load", "4 L 0 P P LINK"];
  for (let rank = 0; rank < 3; rank++) lines.push(`6 ${zeroSeconds.toFixed(3)} r${rank} P 0 "rank-${rank}"`);
  let [now, links] = [zeroSeconds, 0];
  for (const { rank, eighths, does, value } of all) {
    now += eighths / 8;
    // Numbers as tools write them, long and short.
    const time = eighths % 2 === 0 ? now.toFixed(9) : String(now);
    if (does === "push") lines.push(`12 ${time} S r${rank} ${value}`);
    if (does === "set") lines.push(`11 ${time}   S r${rank} "${value}"`);
    if (does === "pop") lines.push(`13 ${time} S r${rank}`);
    if (does === "reset") lines.push(`14 ${time} S r${rank} `);
    if (does === "variable") lines.push(`8 ${time} V r${rank} ${eighths}`);
    if (does === "link") lines.push(`15 ${time} L 0 x r${rank} k${links}`, `16 ${time} L 0 x r0 k${links++}`);
  }
  for (let rank = 0; rank < 3; rank++) lines.push(`7 ${now} P r${rank}`);
  return `${headOf()}${lines.join("\n")}\n`;
}
