/** Members side by side: their hosts, which of them a restriction leaves, the order that they stand in. */
import { NONE } from "../../model/ids";
import type { Location } from "../../model/locations";
import type { Members } from "../../model/members";
import type { MemberOrder } from "./memberLineApi";

/** The host of each member, where all of it is on one. */
export function hostsOf(locations: readonly Pick<Location, "node">[], { keys, of }: Members): Int32Array {
  const hosts = new Int32Array(keys.length).fill(NONE);
  const several = new Uint8Array(keys.length);
  locations.forEach(({ node }, at) => {
    const member = of[at];
    if (member === NONE || node === NONE) return;
    if (hosts[member] !== NONE && hosts[member] !== node) several[member] = 1;
    hosts[member] = node;
  });
  return hosts.map((host, member) => (several[member] ? NONE : host));
}

/** Members at whose locations numbers still count. */
export function heldBy({ keys, of }: Members, chosen: Members): Uint8Array {
  const held = new Uint8Array(keys.length);
  of.forEach((member, at) => {
    if (member !== NONE && chosen.of[at] !== NONE) held[member] = 1;
  });
  return held;
}

/** Members are in canonical order, and a sort keeps the order of equals. What is not finite comes last. */
export function lineOrder(
  order: MemberOrder,
  by: { readonly values: Float64Array; readonly hosts: Int32Array; readonly attribute: Float64Array | undefined },
): Int32Array {
  const line = Int32Array.from(by.values.keys());
  if (order === "id") return line;
  const keys = order === "host" ? by.hosts : order === "value" ? by.values : by.attribute;
  const key = (member: number) => (keys && Number.isFinite(keys[member]) ? keys[member] : Infinity);
  return line.sort((a, b) => (key(a) === key(b) ? a - b : key(a) - key(b)));
}
