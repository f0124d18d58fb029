/** What the page of the treemap of code draws: folders, files and functions with their exclusive values. A mark is the index of a node. */
import * as v from "valibot";
import { count, list, name } from "./bounds";
import { integers, numbers } from "./columns";
import { NODE_LIMIT } from "./treemap";

export { type CutState, cutState } from "./treemap";

/** In the order of `kind`. */
export const codeKinds = ["all", "folder", "file", "load module", "function"] as const;
export const FUNCTION = codeKinds.indexOf("function");

const texts = list(name, NODE_LIMIT);

export const codeTreemapContent = v.pipe(
  v.object({
    metric: name,
    unit: name,
    over: name,
    /** Of one parent the largest first. */
    nodes: v.object({
      id: integers(0, 2 ** 31 - 1),
      names: texts,
      kind: integers(0, codeKinds.length - 1),
      parent: integers(-1, NODE_LIMIT),
      isClosed: integers(0, 1),
      functions: integers(0, 2 ** 31 - 1),
      /** Index into `groups`; -1: a folder. */
      group: integers(-1, NODE_LIMIT),
    }),
    /** Files and load modules. */
    groups: texts,
    /** By group: 1 if it is the kernel. */
    kernels: integers(0, 1),
    values: numbers(NODE_LIMIT, (one) => one >= 0),
    depth: count,
    deepest: count,
  }),
  v.check(({ nodes, groups, kernels, values }) => {
    const { length } = nodes.id;
    return (
      Object.values(nodes).every((column) => column.length === length) &&
      values.length === length &&
      kernels.length === groups.length &&
      nodes.parent.every((parent, at) => parent < at) &&
      nodes.group.every((group) => group < groups.length)
    );
  }),
);
export type CodeTreemapContent = v.InferOutput<typeof codeTreemapContent>;
