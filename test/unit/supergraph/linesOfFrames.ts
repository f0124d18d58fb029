import type { RandomRecording } from "./randomOperations";
import { seeded } from "./random";
import type { Row } from "./treeOf";

/**
 * The same recording by a tool that tells loops and lines apart: half of the frames get a loop, half of all costs stand on
 * lines below their frame or its loop, and half of the calls are made from the loop. No frame costs more or less by that.
 */
export function withLoopsAndLines(recording: RandomRecording, seed: number): RandomRecording {
  const random = seeded(seed ^ 0x11e5);
  const rows: Row[] = [];
  const values: number[][] = [];
  const add = (row: Omit<Row, "exclusive">, own: readonly number[]) => {
    values.push([...own]);
    return rows.push({ ...row, exclusive: own.reduce((sum, value) => sum + value, 0) }) - 1;
  };
  const none = Array.from({ length: recording.ranks }, () => 0);
  const frameOf: number[] = [];
  const loopOf: (number | undefined)[] = [];
  recording.rows.forEach((row, at) => {
    const own = recording.values[at];
    const caller = row.parent === undefined ? undefined : callerOf(row.parent);
    const onLine = random() < 0.5 && row.frame?.origin !== "outside";
    const frame = add({ ...row, parent: caller }, onLine ? none : own);
    frameOf.push(frame);
    const place = { file: "/p/header.h", line: 10 * at };
    const loop = random() < 0.5 && { name: "loop", parent: frame, frame: { kind: "loop" as const, ...place } };
    loopOf.push(loop && row.frame?.origin !== "outside" ? add(loop, none) : undefined);
    const line = { name: `line ${at}`, frame: { kind: "line" as const, ...place } };
    if (onLine) add({ ...line, parent: callerOf(at) }, own);
  });
  return { ...recording, rows, values };

  function callerOf(at: number): number {
    return (random() < 0.5 ? loopOf[at] : undefined) ?? frameOf[at];
  }
}
