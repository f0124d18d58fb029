/**
 * Kinds of frames and names of functions, coarse to fine, by which a first picture is grouped (semantics 2, rule 7). Made once per metric: a
 * library counts as the program's own if its cost is large.
 */
import { stemOf } from "../../model/numberedNames";
import { isAddressName, isPlaceholderName } from "../../model/frames";
import { addTo, entryOf } from "../../model/maps";
import { isNamedAsMpi } from "../../model/mpiNames";
import { classOf } from "./classes";
import { MPI, type GroupingBasis } from "../grouping";
import { normalPath, shortestUniqueEndings } from "../pathNames";
import { debugPackage, isKernelModule, isLibraryModule, isStandardHeader, shortModule } from "./loadModules";
import type { RunCosts } from "./runCosts";

/** Owner of a frame's code. `unknown` if the frame has neither a name nor a load module. */
export type FrameKind = "own" | "library" | "mpi" | "kernel" | "unknown";

/** A name that functions are grouped by. */
export interface GroupName {
  /** Two names with one key are one group. */
  readonly key: string;
  /** The recorded name. Names on screen are shortened later. */
  readonly text: string;
  readonly kind: "module" | "folder" | "file" | "class" | "stem" | "function" | "group";
  /** File, or else load module, of one of several functions with this name. "" for a unique name. */
  readonly place: string;
}

/** Load module with code without names. */
export interface UnnamedModule {
  /** Short name. */
  readonly module: string;
  /** Debian's package with its debug symbols; undefined if it is no library of the system. */
  readonly debugPackage: string | undefined;
}

/** Names of all functions. */
export interface FirstNames {
  /** Representative of each function: functions of one load module without a name have the same. */
  readonly standsFor: Int32Array;
  readonly kinds: readonly FrameKind[];
  /** 1 for own code, with libraries that count as own. A library frame above such code is on the way to it. */
  readonly isOwn: Uint8Array;
  /** Names of each function, coarse to fine, as indices into {@link names}; at least one. */
  readonly paths: readonly (readonly number[])[];
  readonly names: readonly GroupName[];
  /** The name of each function itself, also if it is only ever grouped by a coarser one. */
  readonly functionNames: readonly number[];
  /** Load modules with code without names, by the representative function. */
  readonly withoutNames: ReadonlyMap<number, UnnamedModule>;
  /** Name, file and load module of each function, which together identify it. */
  readonly identities: readonly string[];
}

/** Group of frames that have neither a name nor a load module. */
export const UNKNOWN = "[unknown]";
const KERNEL = "kernel";
/** Recorded texts in place of an unknown load module. */
const NO_MODULE: ReadonlySet<string> = new Set(["", UNKNOWN]);
const PLACEHOLDERS: ReadonlySet<string> = new Set(["~unknown-proc~", "??"]);
/** Minimum share of the total for a library to count as the program's own. */
const MIN_OWN_LIBRARY_SHARE = 0.5;

/** Whether this is a tool's text for a function without a known name. */
export function hasNoName(name: string): boolean {
  const isUnknown = name.startsWith(UNKNOWN) || (name.startsWith("<unknown") && name.includes(">"));
  return isUnknown || isPlaceholderName(name) || isAddressName(name) || PLACEHOLDERS.has(name);
}

/**
 * Names and kinds of all functions.
 *
 * @param ofRuns exclusive cost of each function, in all runs
 */
export function firstNames(basis: GroupingBasis, costs: RunCosts, ofRuns: Float64Array): FirstNames {
  const { size } = basis.functions;
  const facts = Array.from({ length: size }, (_, id) => factsOf(basis, id));
  const standsFor = new Int32Array(size);
  const unnamed = new Map<string, number>();
  for (let id = 0; id < size; id++)
    standsFor[id] = facts[id].isUnnamed ? entryOf(unnamed, facts[id].module ?? "", () => id) : id;

  const ownLibraries = librariesThatAreOwn(facts, costs, ofRuns);
  const isOwnLibrary = ({ kind, library }: Facts) => kind === "library" && ownLibraries.has(library ?? "");
  const isOwn = (one: Facts) => one.kind === "own" || isOwnLibrary(one);
  const paths = new NamePaths(facts, standsFor, isOwn, basis.attributes.files ?? []);
  return {
    standsFor,
    kinds: facts.map((own) => (isOwnLibrary(own) ? "own" : own.kind)),
    isOwn: Uint8Array.from(facts, (own) => (isOwn(own) ? 1 : 0)),
    paths: facts.map((own) => paths.pathOf(own)),
    names: paths.table.all,
    withoutNames: new Map(
      [...unnamed]
        .filter(([module]) => module !== "")
        .map(([module, id]) => [id, { module: shortModule(module), debugPackage: debugPackage(module) }]),
    ),
    identities: facts.map(({ name, file, module, isUnnamed }) => [name, isUnnamed ? "" : file, module].join("\0")),
    functionNames: facts.map((own) => paths.ownName(own)),
  };
}

/** Recorded facts of a function. */
interface Facts {
  readonly name: string;
  readonly module: string | undefined;
  /** File of its definition. */
  readonly file: string | undefined;
  readonly className: string | undefined;
  readonly isUnnamed: boolean;
  readonly kind: FrameKind;
  /** Short name of its library. */
  readonly library?: string;
}

/** @param id of a function */
function factsOf({ frames, functions, attributes }: GroupingBasis, id: number): Facts {
  const frame = functions.frame[id];
  const recorded = frames.nameOf(frame);
  const written = attributes.module(id);
  const module = written === undefined || NO_MODULE.has(written) ? undefined : written;
  const given = attributes.file(id);
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
  const className = attributes.className(id) || classOf(recorded);
  return { name, module, file, className, isUnnamed, ...kindOf() };
}

/** Names of functions, from coarse to fine. */
class NamePaths {
  readonly table = new NameTable();
  /** Number of functions by name. */
  private readonly count = new Map<string, number>();
  private readonly stems: ReadonlyMap<string, number>;
  private readonly files: ReturnType<typeof pathsOf>;

  /** @param otherFiles files of the recording without a function, which also need different short names */
  constructor(
    facts: readonly Facts[],
    standsFor: Int32Array,
    private readonly isOwn: (facts: Facts) => boolean,
    otherFiles: Iterable<string>,
  ) {
    for (const [id, { name }] of facts.entries()) if (standsFor[id] === id) addTo(this.count, name, 1);
    this.stems = stemsOf(facts.filter(isOwn));
    this.files = pathsOf(facts, otherFiles);
  }

  /** @returns indices into {@link table}, at least one */
  pathOf(facts: Facts): number[] {
    const { table } = this;
    if (facts.kind === "kernel") return [table.named("group", KERNEL)];
    if (facts.kind === "unknown") return [table.named("group", UNKNOWN)];
    if (facts.kind === "mpi") return [table.named("group", MPI), this.functionName(facts)];
    if (this.isOwn(facts)) return this.ownPath(facts);
    return [table.named("module", facts.library ?? ""), this.functionName(facts)];
  }

  /** Name of the function itself. */
  ownName(facts: Facts): number {
    return facts.isUnnamed ? this.table.named("function", facts.name) : this.functionName(facts);
  }

  private functionName({ name, file, module }: Facts): number {
    if ((this.count.get(name) ?? 0) < 2) return this.table.named("function", name);
    return this.table.functionAt(name, file ?? module ?? "");
  }

  private ownPath(own: Facts): number[] {
    const { table, stems, files } = this;
    const path = own.module === undefined ? [] : [table.named("module", shortModule(own.module))];
    if (own.isUnnamed) return [...path, table.named("function", own.name)];
    if (own.file !== undefined)
      path.push(table.folder(files.folders, own.file), table.named("file", files.files.get(own.file) ?? ""));
    else if (own.className !== undefined) path.push(table.named("class", own.className));
    const stem = stemOf(own.name);
    if (stem !== undefined && (stems.get(stem) ?? 0) > 1) path.push(table.named("stem", `${stem}…`));
    path.push(this.functionName(own));
    return path;
  }
}

/** Short names of libraries with at least half of the total in any run. */
function librariesThatAreOwn(facts: readonly Facts[], costs: RunCosts, ofRuns: Float64Array): ReadonlySet<string> {
  const sums = costs.sumsBy(facts, ({ library }) => library, ofRuns);
  return new Set([...sums].filter(([, sum]) => costs.isShare(sum, MIN_OWN_LIBRARY_SHARE)).map(([library]) => library));
}

/** Number of own functions that differ only in a number at their end, by the text before it. */
function stemsOf(own: readonly Facts[]): ReadonlyMap<string, number> {
  const stems = new Map<string, number>();
  for (const { name } of own) {
    const stem = stemOf(name);
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

/** Names by their key, numbered in the order of their first use. */
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
    // The prefix keeps the key different from all names of files and functions.
    return this.id({ key: `d:${folder}`, text, kind: "folder", place: "" });
  }
}
