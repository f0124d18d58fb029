/** What the hardware's page draws. Seconds, bytes and bytes per second; what was not recorded is null. A mark is an element, then a link. */
import * as v from "valibot";
import { hardwareKinds } from "../model/hardware";
import { amount, count, list, name } from "./bounds";

/** Boxes, and lines between them, that a drawing has at most. */
export const ELEMENT_LIMIT = 1000;
export const LINK_LIMIT = 2000;

/** What a panel remembers: nothing. */
export const hardwareState = v.object({});
export type HardwareState = v.InferOutput<typeof hardwareState>;

const use = {
  /** 0 to 1. */
  share: v.nullable(amount),
  by: v.nullable(v.picklist(["threads", "kernels", "capacity", "system", "transfers", "inside"])),
};

const element = v.object({
  ...use,
  name,
  type: name,
  kind: v.picklist(hardwareKinds),
  /** Index of what it is in, which stands before it; -1: nothing. */
  parent: v.pipe(v.number(), v.safeInteger(), v.minValue(-1)),
  size: name,
  /** For how many it stands, of how many of these the use is known, and its least and most. */
  together: count,
  known: count,
  least: v.nullable(amount),
  most: v.nullable(amount),
  /** Of what runs on it: how many, and what they are called. */
  lanes: count,
  laneNames: name,
  /** What numbers can be restricted to: `rank 3`; empty: nothing. */
  members: name,
  bytes: v.nullable(amount),
  capacity: v.nullable(amount),
});
export type HardwareBox = v.InferOutput<typeof element>;

const link = v.object({
  ...use,
  of: v.picklist(["topology", "transfers", "messages"]),
  from: count,
  to: count,
  name,
  together: count,
  bytes: v.nullable(amount),
  bytesBack: v.nullable(amount),
  count,
  capacity: v.nullable(amount),
  rate: v.nullable(amount),
});
export type HardwareLine = v.InferOutput<typeof link>;

export const hardwareContent = v.pipe(
  v.object({
    /** The run, and the window that is shown of it. */
    run: v.object({ from: amount, to: amount }),
    window: v.object({ from: amount, to: amount }),
    elements: list(element, ELEMENT_LIMIT),
    links: list(link, LINK_LIMIT),
    /** Elements that were recorded. */
    recorded: count,
  }),
  v.check(
    ({ elements, links }) =>
      elements.every(({ parent }, at) => parent < at) &&
      links.every(({ from, to }) => from < elements.length && to < elements.length),
  ),
);
export type HardwareContent = v.InferOutput<typeof hardwareContent>;
