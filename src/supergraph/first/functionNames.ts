/**
 * Kinds of frames and names of functions, coarse to fine: what a first picture is grouped by (semantics 2, rule 7). Made once a metric:
 * which library counts as the program's own depends on what it costs.
 */
import { isAddressName, isPlaceholderName } from "../../model/frames";
import { addTo, entryOf } from "../../model/maps";
import { isNamedAsMpi } from "../../model/mpiNames";
import { classOf } from "./classes";
import { MPI, type GroupingBasis } from "../grouping";
import { normalPath, shortestUniqueEndings } from "../pathNames";
import { isKernelModule, isLibraryModule, isStandardHeader, shortModule } from "./loadModules";
import type { RunCosts } from "./runCosts";

/** What the code of a frame belongs to; `unknown` is what has neither a name nor a load module. */
export type FrameKind = "own" | "library" | "mpi" | "kernel" | "unknown";

/** What a name is that functions are grouped by. */
export interface GroupName {
  /** Two names with one key are one group. */
  readonly key: string;
  /** As recorded; short names are made for those on screen. */
  readonly text: string;
  readonly kind: "module" | "folder" | "file" | "class" | "stem" | "function" | "group";
  /** What tells functions of one name apart: the file, else the load module; "" where there is none. */
  readonly place: string;
}

/** Names of all functions. */
export interface FirstNames {
  /** The function that stands for each: those of one load module without a name are one. */
  readonly standsFor: Int32Array;
  readonly kinds: readonly FrameKind[];
  /** Own code, for frames above it: libraries that count as own, too. */
  readonly isOwn: Uint8Array;
  /** Names of each function, coarse to fine, as indices into {@link names}; at least one. */
  readonly paths: readonly (readonly number[])[];
  readonly names: readonly GroupName[];
  /** The name of each function itself, also where it is grouped by something coarser alone. */
  readonly functionNames: readonly number[];
  /** Short names of the load modules that code without names is of, by the function that stands for it. */
  readonly withoutNames: ReadonlyMap<number, string>;
  /** What makes each function: its name, file and load module. */
  readonly identities: readonly string[];
}

/** Group of frames that have neither a name nor a load module. */
export const UNKNOWN = "[unknown]";
const KERNEL = "kernel";
/** Load modules that are no name of one. */
const NO_MODULE: ReadonlySet<string> = new Set(["", UNKNOWN]);
const PLACEHOLDERS: ReadonlySet<string> = new Set(["~unknown-proc~", "??"]);
/** `ProfilerStep#12`, `iteration 3`: regions that are one but for their number. */
const NUMBERED = /^(.*[#\s])\d+$/;
/** What a library of the total's exclusive has that is the program's own. */
const LEAST_OF_OWN_LIBRARY = 0.5;

/** Whether tools write this where they know no name of a function. */
export function hasNoName(name: string): boolean {
  const isUnknown = name.startsWith(UNKNOWN) || (name.startsWith("<unknown") && name.includes(">"));
  return isUnknown || isPlaceholderName(name) || isAddressName(name) || PLACEHOLDERS.has(name);
}

/**
 * @param ofRuns exclusive of each function, in all runs
 */
export function firstNames(basis: GroupingBasis, costs: RunCosts, ofRuns: Float64Array): FirstNames {
  const { frames, functions, attributes } = basis;
  const { size } = functions;
  const facts = Array.from({ length: size }, (_, id) => factsOf(basis, id));
  const standsFor = new Int32Array(size);
  const unnamed = new Map<string, number>();
  for (let id = 0; id < size; id++)
    standsFor[id] = facts[id].isUnnamed ? entryOf(unnamed, facts[id].module ?? "", () => id) : id;

  const ownLibraries = librariesThatAreOwn(facts, costs, ofRuns);
  const isOwnLibrary = ({ kind, library }: Facts) => kind === "library" && ownLibraries.has(library ?? "");
  const count = new Map<string, number>();
  for (let id = 0; id < size; id++) if (standsFor[id] === id) addTo(count, facts[id].name, 1);
  const stems = stemsOf(facts.filter((own) => own.kind === "own" || isOwnLibrary(own)));
  const files = pathsOf(facts, attributes.files ?? []);

  const table = new NameTable();
  const functionName = ({ name, file, module }: Facts): number =>
    (count.get(name) ?? 0) < 2 ? table.named("function", name) : table.functionAt(name, file ?? module ?? "");
  const ownPath = (own: Facts): number[] => {
    const path = own.module === undefined ? [] : [table.named("module", shortModule(own.module))];
    if (own.isUnnamed) return [...path, table.named("function", own.name)];
    if (own.file !== undefined)
      path.push(table.folder(files.folders, own.file), table.named("file", files.files.get(own.file) ?? ""));
    else if (own.className !== undefined) path.push(table.named("class", own.className));
    const stem = NUMBERED.exec(own.name)?.[1];
    if (stem !== undefined && (stems.get(stem) ?? 0) > 1) path.push(table.named("stem", `${stem}…`));
    path.push(functionName(own));
    return path;
  };
  const pathOf = (own: Facts): number[] => {
    if (own.kind === "kernel") return [table.named("group", KERNEL)];
    if (own.kind === "unknown") return [table.named("group", UNKNOWN)];
    if (own.kind === "mpi") return [table.named("group", MPI), functionName(own)];
    if (own.kind === "library" && !isOwnLibrary(own))
      return [table.named("module", own.library ?? ""), functionName(own)];
    return ownPath(own);
  };
  return {
    standsFor,
    kinds: facts.map((own) => (isOwnLibrary(own) ? "own" : own.kind)),
    isOwn: Uint8Array.from(facts, (own) => (own.kind === "own" || isOwnLibrary(own) ? 1 : 0)),
    paths: facts.map(pathOf),
    names: table.all,
    withoutNames: new Map(
      [...unnamed].filter(([module]) => module !== "").map(([module, id]) => [id, shortModule(module)]),
    ),
    identities: facts.map(({ name, file, module, isUnnamed }) => [name, isUnnamed ? "" : file, module].join("\0")),
    functionNames: facts.map((own) => (own.isUnnamed ? table.named("function", own.name) : functionName(own))),
  };

  function factsOf({ attributes: known }: GroupingBasis, id: number): Facts {
    const frame = functions.frame[id];
    const recorded = frames.nameOf(frame);
    const written = known.module(id);
    const module = written === undefined || NO_MODULE.has(written) ? undefined : written;
    const given = known.file(id);
    const file = given === undefined || given === "" ? undefined : normalPath(given);
    const isUnnamed = hasNoName(recorded);
    const name = !isUnnamed ? recorded : module === undefined ? UNKNOWN : `${shortModule(module)}, no names`;
    const isMpi =
      module === undefined && (frames.originOf(frame) === "mpi" || (isNamedAsMpi(recorded) && file === undefined));
    const kindOf = (): Pick<Facts, "kind" | "library"> => {
      if (module !== undefined && isKernelModule(module)) return { kind: "kernel" };
      if (isUnnamed && module === undefined) return { kind: "unknown" };
      if (module !== undefined && isLibraryModule(module)) return { kind: "library", library: shortModule(module) };
      if (file !== undefined && isStandardHeader(file)) return { kind: "library", library: "libstdc++" };
      return { kind: isMpi ? "mpi" : "own" };
    };
    const className = known.className(id) || classOf(recorded);
    return { name, module, file, className, isUnnamed, ...kindOf() };
  }
}

/** What is known of a function. */
interface Facts {
  readonly name: string;
  readonly module: string | undefined;
  /** Of its definition. */
  readonly file: string | undefined;
  readonly className: string | undefined;
  readonly isUnnamed: boolean;
  readonly kind: FrameKind;
  /** Short name of the library that it is of. */
  readonly library?: string;
}

/** Libraries that have at least half of the total in a run. */
function librariesThatAreOwn(facts: readonly Facts[], costs: RunCosts, ofRuns: Float64Array): ReadonlySet<string> {
  const sums = costs.sumsBy(facts, ({ library }) => library, ofRuns);
  return new Set([...sums].filter(([, sum]) => costs.isShare(sum, LEAST_OF_OWN_LIBRARY)).map(([library]) => library));
}

/** How many own functions differ by their number only, by what stands before it. */
function stemsOf(own: readonly Facts[]): ReadonlyMap<string, number> {
  const stems = new Map<string, number>();
  for (const { name } of own) {
    const stem = NUMBERED.exec(name)?.[1];
    if (stem !== undefined) addTo(stems, stem, 1);
  }
  return stems;
}

/** Short names of files and of their folders. */
function pathsOf(facts: readonly Facts[], others: Iterable<string>) {
  const files = facts.flatMap(({ file }) => file ?? []);
  for (const other of others) if (other !== "") files.push(normalPath(other));
  return { files: shortestUniqueEndings(files), folders: shortestUniqueEndings(files.map(folderOf)) };
}

function folderOf(file: string): string {
  const slash = file.lastIndexOf("/");
  return slash === 0 ? "/" : file.slice(0, Math.max(slash, 0));
}

/** Names by their key, numbered as they come. */
class NameTable {
  readonly all: GroupName[] = [];
  private readonly byKey = new Map<string, number>();

  id(name: GroupName): number {
    return entryOf(this.byKey, name.key, () => this.all.push(name) - 1);
  }

  named(kind: GroupName["kind"], text: string): number {
    return this.id({ key: text, text, kind, place: "" });
  }

  /** One of several functions of a name. */
  functionAt(name: string, place: string): number {
    return this.id({ key: `${name}\0${place}`, text: name, kind: "function", place });
  }

  /** The folder of a file; one without is that of the current one. */
  folder(endings: ReadonlyMap<string, string>, file: string): number {
    const folder = folderOf(file);
    const text = folder === "" ? "./" : folder === "/" ? "/" : `${endings.get(folder) ?? folder}/`;
    // No file and no function is called so.
    return this.id({ key: `d:${folder}`, text, kind: "folder", place: "" });
  }
}
