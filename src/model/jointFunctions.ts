/** The functions of several runs as one list: which of them are the same (semantics 10, Runs). */
import { type FrameTable, isPlaceholderName } from "./frames";
import type { FunctionTable } from "./functions";
import { NONE } from "./ids";
import { fileName } from "./placeText";

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
}

/**
 * Functions are the same where name, file and load module agree; of what is left, where the base names of file and module do, since
 * two builds lie in folders of their own; then where the file's does, or one run knows no file; then where names differ only in
 * what a compiler appends to its copy of a whole function (`.isra.0`). In each of these steps a function counts only where no other
 * of its run could be meant as well. Placeholders are the same at the same address alone.
 */
export function jointFunctions(parts: readonly NamedFunctions[], renamed: Renamed = []): JointFunctions {
  const firstIn: number[] = [];
  const firstId: number[] = [];
  const jointOf = parts.map((part, run) => {
    const joint = new Int32Array(part.functions.size).fill(NONE);
    const known = firstIn.map((in_, at): Candidate => candidateOf(parts[in_], firstId[at]));
    const own = Array.from({ length: part.functions.size }, (_, id) => candidateOf(part, id));
    const isTaken = new Uint8Array(known.length);
    for (const keys of stepsFor(renamed)) {
      const there = only(known, keys.known, (at) => isTaken[at] === 0);
      const here = only(own, keys.own, (id) => joint[id] === NONE);
      for (const [key, id] of here) {
        const at = there.get(key);
        if (at === undefined || at === SEVERAL || id === SEVERAL || keys.agree?.(known[at], own[id]) === false)
          continue;
        joint[id] = at;
        isTaken[at] = 1;
      }
    }
    return joint.map((at, id) => {
      if (at !== NONE) return at;
      firstId.push(id);
      return firstIn.push(run) - 1;
    });
  });
  return {
    size: firstIn.length,
    jointOf,
    firstIn: Int32Array.from(firstIn),
    firstId: Int32Array.from(firstId),
  };
}

interface Candidate {
  readonly name: string;
  /** "" where it is not known. */
  readonly file: string;
  readonly module: string;
  /** Of a placeholder; {@link NONE} where that has none. */
  readonly address: number | undefined;
}

function candidateOf({ functions, frames }: NamedFunctions, id: number): Candidate {
  const frame = functions.frame[id];
  const name = frames.nameOf(frame);
  const text = (index: number) => (index === NONE ? "" : frames.strings.get(index));
  const address = isPlaceholderName(name) ? frames.addressOf(frame) : undefined;
  return { name, file: text(frames.file[frame]), module: text(frames.moduleIndex(frame)), address };
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
  readonly known: KeyOf;
  readonly own: KeyOf;
  readonly agree?: (known: Candidate, own: Candidate) => boolean;
}

function stepsFor(renamed: Renamed): Step[] {
  const alike = (keyOf: KeyOf, agree?: Step["agree"]): Step => ({ known: keyOf, own: keyOf, agree });
  const other = new Map(renamed.flatMap(([before, after]) => [[before, after] as const, [after, before] as const]));
  const named: KeyOf = ({ name, address }) => (address === undefined ? name : undefined);
  return [
    { known: ({ name }) => (other.has(name) ? name : undefined), own: ({ name }) => other.get(name) },
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
  ];
}

const SEVERAL = -2;

/** By key; {@link SEVERAL} where more than one that counts has it. */
function only(
  candidates: readonly Candidate[],
  keyOf: KeyOf,
  counts: (at: number) => boolean,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  candidates.forEach((candidate, at) => {
    const key = counts(at) ? keyOf(candidate) : undefined;
    if (key !== undefined) found.set(key, found.has(key) ? SEVERAL : at);
  });
  return found;
}
