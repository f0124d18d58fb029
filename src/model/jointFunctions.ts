/** The functions of several runs as one list: which of them are the same (semantics 10, Runs). */
import { type FrameTable, isPlaceholderName } from "./frames";
import type { FunctionTable } from "./functions";
import { NONE } from "./ids";
import { addTo, entryOf } from "./maps";
import { fileName } from "./placeText";
import { quietTask, STEPS_BETWEEN_CHECKS, type Task } from "./task";

/** The functions of one run. */
export interface NamedFunctions {
  readonly functions: Pick<FunctionTable, "size" | "frame">;
  readonly frames: FrameTable;
}

/** Names of one function before and after it was renamed, in either order. */
export type Renamed = readonly (readonly [string, string])[];

export interface JointFunctions {
  readonly size: number;
  /** For each run, the joint function that each of its functions is. */
  readonly jointOf: readonly Int32Array[];
  /** The first run that has each joint function, and its number there. */
  readonly firstIn: Int32Array;
  readonly firstId: Int32Array;
  /** Of what was said to be renamed, the pairs that made nothing one. */
  readonly unpaired: Renamed;
}

/**
 * Functions are the same where name, file and load module agree; of what is left, where the base names of file and module do, since
 * two builds lie in folders of their own; then where the file's does, or one run knows no file; then where names differ only in
 * what a compiler appends to its copy of a whole function (`.isra.0`); then C++ functions by their whole name (`Solver::force(Literal)`): a
 * tool that takes a function's first line for its file names another header in each build; then regions of which one run does not know the class. In each of these steps a function counts only where no other
 * of its run could be meant as well. Placeholders are the same at the same address alone. What was renamed goes before all of that.
 */
export function jointFunctions(
  parts: readonly NamedFunctions[],
  renamed: Renamed = [],
  task: Pick<Task, "check"> = quietTask,
): JointFunctions {
  const steps = stepsFor(renamedKeys(parts, renamed));
  const candidates = new Candidates();
  const firstIn: number[] = [];
  const firstId: number[] = [];
  const known: Candidate[] = [];
  /** Of each step: the joint functions that are called so in it. */
  const called = steps.map(() => new Map<string, number[]>());
  const jointOf = parts.map((part, run) => {
    task.check();
    const joint = new Int32Array(part.functions.size).fill(NONE);
    const own = Array.from({ length: part.functions.size }, (_, id) => candidates.of(part, id));
    const isTaken = new Uint8Array(known.length);
    let left = own.map((_, id) => id);
    for (const [step, { agree }] of steps.entries()) {
      if (left.length === 0) break;
      for (const [key, id] of only(left, (id) => keyIn(steps, own[id], step), task)) {
        const there = id === SEVERAL ? [] : (called[step].get(key) ?? []).filter((at) => isTaken[at] === 0);
        if (there.length !== 1 || agree?.(known[there[0]], own[id]) === false) continue;
        joint[id] = there[0];
        isTaken[there[0]] = 1;
      }
      left = left.filter((id) => joint[id] === NONE);
    }
    for (const id of left) {
      joint[id] = known.push(own[id]) - 1;
      firstId.push(id);
      firstIn.push(run);
      for (const [step, names] of called.entries()) {
        const key = keyIn(steps, own[id], step);
        if (key !== undefined) entryOf(names, key, () => []).push(joint[id]);
      }
    }
    return joint;
  });
  return {
    size: firstIn.length,
    jointOf,
    firstIn: Int32Array.from(firstIn),
    firstId: Int32Array.from(firstId),
    unpaired: unpairedOf(parts, jointOf, renamed),
  };
}

/**
 * What a function is called whose name is among those that were renamed: pairs that share a name are of one function. Where a run
 * has two names of it, these are two functions, and nothing was renamed.
 */
function renamedKeys(parts: readonly NamedFunctions[], renamed: Renamed): (name: string) => string | undefined {
  const leads = new Map<string, string>();
  const lastOf = (name: string): string => {
    let at = name;
    for (let next = leads.get(at); next !== undefined; next = leads.get(at)) at = next;
    return at;
  };
  for (const [before, after] of renamed) {
    const [from, to] = [lastOf(before), lastOf(after)];
    if (from !== to) leads.set(from, to);
  }
  const keys = new Map(renamed.flat().map((name) => [name, lastOf(name)]));
  for (const part of parts) {
    const here = new Map<string, number>();
    for (const name of namesIn(part, keys).keys()) addTo(here, lastOf(name), 1);
    for (const [name, key] of keys) if ((here.get(key) ?? 0) > 1) keys.delete(name);
  }
  return (name) => keys.get(name);
}

function unpairedOf(parts: readonly NamedFunctions[], jointOf: readonly Int32Array[], renamed: Renamed): Renamed {
  if (renamed.length === 0) return [];
  const wanted = new Set(renamed.flat());
  const found = parts.map((part) => namesIn(part, wanted));
  const joint = (name: string) => found.flatMap((ids, run) => (ids.get(name) ?? []).map((id) => jointOf[run][id]));
  return renamed.filter(([before, after]) => !joint(before).some((at) => joint(after).includes(at)));
}

/** The functions of a run that have one of these names. */
function namesIn(
  { functions, frames }: NamedFunctions,
  wanted: { has(name: string): boolean },
): ReadonlyMap<string, number[]> {
  const found = new Map<string, number[]>();
  for (let id = 0; id < functions.size; id++) {
    const name = frames.nameOf(functions.frame[id]);
    if (wanted.has(name)) entryOf(found, name, () => []).push(id);
  }
  return found;
}

interface Candidate {
  readonly name: string;
  /** "" where it is not known. */
  readonly file: string;
  readonly module: string;
  readonly isRegion: boolean;
  /** Of a placeholder; {@link NONE} where that has none. */
  readonly address: number | undefined;
  /** What it is called in each step, as far as that was asked for. */
  readonly keys: (string | undefined)[];
}

/** Functions by their frames: many runs may share a table of these. */
class Candidates {
  private readonly known = new Map<FrameTable, (Candidate | undefined)[]>();

  of({ functions, frames }: NamedFunctions, id: number): Candidate {
    const frame = functions.frame[id];
    const own = entryOf(this.known, frames, () => []);
    return (own[frame] ??= candidateOf(frames, frame));
  }
}

/** What a candidate is called in a step; found out once. */
function keyIn(steps: readonly Step[], candidate: Candidate, step: number): string | undefined {
  const { keys } = candidate;
  if (!(step in keys)) keys[step] = steps[step].keyOf(candidate);
  return keys[step];
}

function candidateOf(frames: FrameTable, frame: number): Candidate {
  const name = frames.nameOf(frame);
  const text = (index: number) => (index === NONE ? "" : frames.strings.get(index));
  const address = isPlaceholderName(name) ? frames.addressOf(frame) : undefined;
  const isRegion = frames.kindOf(frame) === "region";
  const file = text(frames.file[frame]);
  return { name, file, module: text(frames.moduleIndex(frame)), isRegion, address, keys: [] };
}

/** `dot` of `mini::Kernel::dot`. */
function unqualified(name: string): string {
  return name.slice(name.lastIndexOf("::") + 1).replace(/^:/, "");
}

/** A name with class or namespace and parameters, which one function of a program has; each file may have its own unnamed namespace. */
function isSignature(name: string): boolean {
  return name.includes("::") && !name.includes("anonymous") && /\)(?: const)?$/.test(name);
}

/** Behind the names of copies that GCC makes of whole functions; `.part` and `.cold` are pieces of them. */
const CLONES = new Set(["isra", "constprop", "lto_priv"]);

/** `axpy.isra.0.constprop.2` as `axpy`. */
function withoutClones(name: string): string {
  const parts = name.split(".");
  while (parts.length > 2 && CLONES.has(parts[parts.length - 2]) && /^\d+$/.test(parts[parts.length - 1]))
    parts.length -= 2;
  return parts.join(".");
}

type KeyOf = (candidate: Candidate) => string | undefined;

/** One step: what candidates are called in it, and whether two of one name may be the same. */
interface Step {
  readonly keyOf: KeyOf;
  readonly agree?: (known: Candidate, own: Candidate) => boolean;
}

function stepsFor(renamed: (name: string) => string | undefined): Step[] {
  const alike = (keyOf: KeyOf, agree?: Step["agree"]): Step => ({ keyOf, agree });
  const named: KeyOf = ({ name, address }) => (address === undefined ? name : undefined);
  return [
    alike(
      ({ name }) => renamed(name),
      (known, own) => known.name !== own.name,
    ),
    alike(({ name, file, module, address }) =>
      address === NONE ? undefined : JSON.stringify([name, file, module, address]),
    ),
    alike(({ name, file, module, address }) =>
      address === NONE ? undefined : JSON.stringify([name, fileName(file), fileName(module), address]),
    ),
    alike((one) => (named(one) === undefined ? undefined : JSON.stringify([one.name, fileName(one.file)]))),
    alike(named, (known, own) => known.file === "" || own.file === ""),
    alike(
      (one) => {
        const name = named(one);
        return name === undefined ? undefined : withoutClones(name);
      },
      (known, own) => fileName(known.file) === fileName(own.file),
    ),
    alike((one) => (isSignature(one.name) ? named(one) : undefined)),
    alike(
      ({ name, isRegion }) => (isRegion ? unqualified(name) : undefined),
      (known, own) => [known.name, own.name].includes(unqualified(own.name)),
    ),
  ];
}

const SEVERAL = -2;

/** By key; {@link SEVERAL} where more than one has it. */
function only(
  ids: readonly number[],
  keyOf: (id: number) => string | undefined,
  task: Pick<Task, "check">,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  ids.forEach((id, at) => {
    if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
    const key = keyOf(id);
    if (key !== undefined) found.set(key, found.has(key) ? SEVERAL : id);
  });
  return found;
}
