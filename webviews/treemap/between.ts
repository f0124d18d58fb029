/** A content on its way to another one: values and places of what both have lie between theirs. Pure. */
import type { TreemapContent } from "../../src/protocol/treemap";
import { pinKey } from "./markLook";

/** @param share 0: before, 1: after */
export function between(before: TreemapContent, after: TreemapContent, share: number): TreemapContent {
  const mixed = (from: number, to: number) => (Number.isNaN(from) ? to : from + (to - from) * share);
  const nodeAt = new Map(Array.from(before.nodes.id, (id, at) => [id, at]));
  const partAt = after.parts.map((name) => before.parts.indexOf(name));
  const width = after.parts.length;
  const values = after.values.map((value, at) => {
    const node = nodeAt.get(after.nodes.id[Math.floor(at / width)]);
    const part = partAt[at % width];
    // What was not there before has its size at once.
    return node === undefined || part < 0 ? value : mixed(before.values[node * before.parts.length + part], value);
  });
  const markAt = new Map(Array.from(before.marks.node, (_, at) => [pinKey(before, at), at]));
  const known = Array.from(after.marks.node, (_, at) => markAt.get(pinKey(after, at)));
  const column = (of: "x" | "y" | "size" | "used") =>
    after.marks[of].map((value, at) => {
      const mark = known[at];
      return mark === undefined ? value : mixed(before.marks[of][mark], value);
    });
  const marks = { ...after.marks, x: column("x"), y: column("y"), size: column("size"), used: column("used") };
  return { ...after, values, marks };
}
