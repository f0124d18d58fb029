/** Members (ranks, threads, hosts, …) side by side on a line, as panels draw and list them. */
import * as v from "valibot";
import { locationUnits } from "../model/members";
import { list, name } from "./bounds";
import { integers, numbers } from "./columns";

/** With their keys and numbers they leave room for the rest of a message. */
export const LINE_LIMIT = 12_000;

const memberUnit = v.picklist(locationUnits);
/** `id`, `value`, `host`, or `metric:` and the name of a metric. */
const memberOrder = v.pipe(v.string(), v.regex(/^(id|value|host|metric:[^]*)$/), v.maxLength(4200));

/** What a panel remembers of its members. */
export const memberChoice = {
  /** Absent: the first kind that the recording has several of. */
  by: v.optional(memberUnit),
  order: memberOrder,
};

/** Values of the members on a line, in its order. */
export const onLine = numbers(LINE_LIMIT);

export const memberLine = v.pipe(
  v.object({
    by: memberUnit,
    /** What a member is called: `rank`, `ranks`. */
    nouns: v.tuple([name, name]),
    order: memberOrder,
    keys: list(v.pipe(v.string(), v.maxLength(60)), LINE_LIMIT),
    /** Number of the host of each, -1 where none is known; absent where none is known at all. */
    hosts: v.optional(integers(-1, 2 ** 31 - 1, LINE_LIMIT)),
    /** What the line is ordered by, where that is a metric. */
    attribute: v.optional(v.object({ name, unit: name, values: onLine })),
  }),
  v.check(({ keys, hosts, attribute }) =>
    [hosts, attribute?.values].every((all) => !all || all.length === keys.length),
  ),
);
export type MemberLine = v.InferOutput<typeof memberLine>;
