/** Functions and calling contexts by name: another reading of a recording may number them otherwise. */
import { createHash } from "node:crypto";
import { NONE } from "../../model/ids";
import { STEPS_BETWEEN_CHECKS, type Task } from "../../model/task";
import type { OpenDataSet } from "../dataSets/openDataSet";
import type { FoundTarget, NamedTarget, NumberedTarget } from "./treeApi";

/**
 * Stands for the full name of a function (name, file, load module) or of a context (the names from a root down to it), however
 * long that is. Several may share it.
 */
export function nameDigest(open: OpenDataSet, { kind, id }: NumberedTarget): string {
  if (kind === "context") {
    const path = open.pathOf(open.checkContext(id));
    // With the depth, few paths have to be looked at to find it again.
    return `${path.length} ${digestOf(path.map((context) => open.contextName(context)))}`;
  }
  const { frames } = open.dataSet;
  const frame = open.functions.frame[open.checkFunction(id)];
  const text = (string: number) => (string === NONE ? "" : frames.strings.get(string));
  return digestOf([frames.nameOf(frame), text(frames.file[frame]), text(frames.moduleIndex(frame))]);
}

/**
 * The function or context that is called so now: the one of its number, where that still is; else the only one of its full name;
 * else, of functions and of what was kept without its full name, the only one of its name.
 */
export function targetNamed(open: OpenDataSet, was: NamedTarget, task: Task): FoundTarget {
  const { kind, name, digest } = was;
  const size = kind === "function" ? open.functions.size : open.dataSet.tree.size;
  const nameOf = (id: number) => (kind === "function" ? open.functionName(id) : open.contextName(id));
  const hasName = (id: number) => name !== "" && nameOf(id) === name;
  const hasDigest = (id: number) => nameDigest(open, { kind, id }) === digest;
  if (was.id < size && (digest === undefined ? hasName(was.id) : hasDigest(was.id)))
    return numbered(open, kind, [was.id]);
  const all = Array.from({ length: size }, (_, id) => id);
  if (digest !== undefined) {
    const candidates = kind === "function" ? all : contextsAtDepth(open, Number.parseInt(digest));
    const same = matching(candidates, hasDigest, task);
    if (same.length > 0 || kind === "context") return numbered(open, kind, same);
  }
  return numbered(open, kind, matching(all, hasName, task));
}

function numbered(open: OpenDataSet, kind: NumberedTarget["kind"], ids: readonly number[]): FoundTarget {
  const [id] = ids;
  return ids.length === 1 ? { count: 1, id, digest: nameDigest(open, { kind, id }) } : { count: ids.length };
}

/** As many as tell whether there is one. */
function matching(ids: readonly number[], isWanted: (id: number) => boolean, task: Task): number[] {
  const found: number[] = [];
  for (const [at, id] of ids.entries()) {
    if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
    if (isWanted(id) && found.push(id) > 1) break;
  }
  return found;
}

/** @param depth 1 of a root */
function contextsAtDepth({ dataSet: { tree } }: OpenDataSet, depth: number): number[] {
  const depths = new Int32Array(tree.size);
  const found: number[] = [];
  for (let context = 0; context < tree.size; context++) {
    const parent = tree.parent[context];
    depths[context] = parent === NONE ? 1 : depths[parent] + 1;
    if (depths[context] === depth) found.push(context);
  }
  return found;
}

function digestOf(names: readonly string[]): string {
  return createHash("sha1").update(names.join("\0")).digest("base64url");
}
