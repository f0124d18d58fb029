import path from "node:path";
import type { SourceCopies } from "../model/dataSet";
import { largestIn } from "../model/longLists";
import { entryOf } from "../model/maps";
import type { Sources } from "./sources";

/** Rule of {@link PathMap} that found a file. */
export type PathRule = "setting" | "recorded path" | "relative path" | "ending" | "capitals" | "copy";

/** Where a recorded file is on this disk: one file, or what was looked for and why there is none. */
export type MappedPath =
  | { readonly file: string; readonly how: string; readonly rule: PathRule }
  | {
      readonly file: undefined;
      readonly rule?: undefined;
      readonly how: string;
      readonly missing: string;
      readonly alternatives: readonly string[];
    };

/** Where compilers' and systems' own headers live: a like-named file of the workspace is another file. */
const systemFolder = /^\/(usr\/(local\/)?(include|lib\d*|libexec|share)|lib\d*|opt\/rh)\//;

/** Folders of installed packages and of libraries of languages, at any path. */
const libraryFolder =
  /\/(?:(?:site|dist)-packages|lib(?:32|64)?\/python\d[\d.]*|include\/c\+\+|c\+\+\/v1|node_modules|rustc\/[0-9a-f]{8,}|\.cargo\/registry)\//;

/** Whether a recorded file is one of the system or of an installed library, which many programs have. */
export function isSystemFile(recorded: string): boolean {
  const text = slashed(recorded);
  return systemFolder.test(text) || libraryFolder.test(text);
}

/**
 * Recorded files → files of the folders (semantics 5, path map). In this order:
 *
 * 1. the user's rules, the longest matching prefix first;
 * 2. the recorded path itself, or below a folder, where such a file is;
 * 3. the file with the longest ending in common, when it is the only one and either the whole recorded path or at least the folder's
 *    name agrees too; where only that name does (`src`), at least half of the recorded files of that recorded folder must be beside it:
 *    other programs have a `src/solver.cpp` too;
 * 4. where only the base name agrees: when all (at least two) recorded files of that recorded folder are found, each once, in one and
 *    the same folder, or when folders above agree with what rule 3 found for other files;
 * 5. the only file whose path ends so when capitals are ignored, as on Windows, where not only the base name agrees;
 * 6. the copy inside the recording, where there is one. Rules 3 and 4 never take a copy: its path ends as the recorded one does, and
 *    would go before the file that the user works on.
 *
 * A base name alone decides only where nothing but a base name was recorded (`main.c`).
 */
export class PathMap {
  private readonly found = new Map<string, MappedPath>();
  /** Recorded folder → folders here, from files that rule 3 found. */
  private readonly learned = new Map<string, Set<string>>();
  private readonly byFolder = new Map<string, string[]>();
  /** Of a recorded folder and one here: whether half of what was recorded there is here. */
  private readonly alike = new Map<string, boolean>();
  private readonly copyFiles: ReadonlySet<string>;

  /**
   * @param recorded all files that the recording names: they bear witness for each other (rule 4)
   * @param copies what the recording itself holds of them
   */
  constructor(
    private readonly sources: Sources,
    recorded: Iterable<string> = [],
    private readonly copies?: SourceCopies,
  ) {
    if (copies) sources.allowBelow(copies.folder);
    this.copyFiles = new Set(copies?.files.values());
    const all = [...new Set(recorded)].map((file) => ({ file, parts: partsOf(file) }));
    for (const { file, parts } of all) entryOf(this.byFolder, folderKey(parts), () => []).push(file);
    for (const { parts } of all) {
      const { files, length, enough } = this.longestEnding(parts);
      if (files.length === 1 && enough && this.isAmongSiblings(parts, files[0], length))
        this.learn(parts, partsOf(files[0]), length);
    }
  }

  /** Where a recorded file is. */
  resolve(recorded: string): MappedPath {
    let mapped = this.found.get(recorded);
    if (mapped === undefined) {
      mapped = this.byRule(recorded) ?? this.byPlace(recorded) ?? this.byEnding(recorded);
      if (mapped.file === undefined) mapped = this.bySmallLetters(recorded, mapped) ?? mapped;
      if (mapped.file === undefined) mapped = this.byCopy(recorded, mapped.how) ?? mapped;
      this.found.set(recorded, mapped);
    }
    return mapped;
  }

  private byRule(recorded: string): MappedPath | undefined {
    const rules = Object.entries(this.sources.world.sourceMap ?? {}).sort(([a], [b]) => b.length - a.length);
    const wanted = slashed(recorded);
    for (const [from, to] of rules) {
      const prefix = slashed(from).replace(/(?<!\/)\/+$/, "");
      if (wanted !== prefix && !wanted.startsWith(`${prefix}/`)) continue;
      const rest = wanted.slice(prefix.length).replace(/^\/+/, "");
      for (const target of this.sources.targetsOf(to)) {
        const file = path.join(target, rest);
        if (this.sources.has(file) || this.sources.modifiedAt(file) !== undefined)
          return { file, how: `the rule "${from}" → "${to}" leads here`, rule: "setting" };
      }
      return {
        file: undefined,
        how: `the rule "${from}" → "${to}" leads to no file that may be opened`,
        missing: recorded,
        alternatives: [],
      };
    }
    return undefined;
  }

  private byPlace(recorded: string): MappedPath | undefined {
    const wanted = slashed(recorded);
    if (path.isAbsolute(wanted)) {
      const file = path.normalize(wanted);
      return this.sources.has(file) ? { file, how: "it is the recorded path", rule: "recorded path" } : undefined;
    }
    const below = this.sources.world.folders.map((folder) => path.join(folder, wanted));
    const files = [...new Set(below.filter((file) => this.sources.has(file)))];
    if (files.length !== 1) return undefined;
    return { file: files[0], how: "the recorded path is relative to a folder", rule: "relative path" };
  }

  private byEnding(recorded: string): MappedPath {
    const parts = partsOf(recorded);
    const { files, length, enough } = this.longestEnding(parts);
    const missing = (how: string): MappedPath => ({ file: undefined, how, missing: recorded, alternatives: files });
    if (systemFolder.test(slashed(recorded))) return missing("it belongs to the system, not to the folders");
    if (files.length === 0) return missing("no file of that name is in the folders");
    if (files.length === 1 && enough && this.isAmongSiblings(parts, files[0], length)) {
      const how = `its path ends in ${parts.names.slice(-length).join("/")} and no other does`;
      return { file: files[0], how, rule: "ending" };
    }
    const agreeing = files.filter((file) => this.agrees(parts, partsOf(file)));
    if (agreeing.length === 1)
      return { file: agreeing[0], how: "other files of the recording are found in the same folder", rule: "ending" };
    if (files.length > 1) return missing(`${files.length} files in the folders match it equally well`);
    if (enough)
      return missing(
        `a file here ends in ${parts.names.slice(-length).join("/")}, but hardly another one of that folder is here`,
      );
    return missing("only the base name of a file in the folders agrees");
  }

  /** Only where nothing is spelled alike, or only a base name is: two spellings on one system are two files. */
  private bySmallLetters(recorded: string, mapped: MappedPath): MappedPath | undefined {
    const parts = partsOf(recorded);
    const several = mapped.file === undefined && mapped.alternatives.length > 1;
    if (several || systemFolder.test(slashed(recorded)) || this.matchesRule(recorded)) return undefined;
    const small = parts.names.map((name) => name.toLowerCase());
    const candidates = (this.sources.bySmallName.get(small[small.length - 1]) ?? []).filter(
      (file) => !this.copyFiles.has(file),
    );
    const ending = (file: string) =>
      commonEnding(
        small,
        partsOf(file).names.map((name) => name.toLowerCase()),
      );
    const longest = Math.max(0, largestIn(candidates.map(ending)));
    const files = candidates.filter((file) => ending(file) === longest);
    const onlyBaseName = small.length === 1 && !parts.rooted && !parts.upwards;
    if (files.length !== 1 || (longest < 2 && !onlyBaseName)) return undefined;
    // Spelled alike it was refused for another reason.
    if (commonEnding(parts.names, partsOf(files[0]).names) === longest) return undefined;
    const how = `its path ends in ${parts.names.slice(-longest).join("/")} but for capitals, and no other does`;
    return { file: files[0], how, rule: "capitals" };
  }

  private matchesRule(recorded: string): boolean {
    const wanted = slashed(recorded);
    return Object.keys(this.sources.world.sourceMap ?? {}).some((from) => {
      const prefix = slashed(from).replace(/(?<!\/)\/+$/, "");
      return wanted === prefix || wanted.startsWith(`${prefix}/`);
    });
  }

  private byCopy(recorded: string, how: string): MappedPath | undefined {
    const file = this.copies && this.copyOf(recorded, this.copies);
    if (file === undefined) return undefined;
    return { file, how: `it is the copy inside the recording, since ${how}`, rule: "copy" };
  }

  /** The copy, at its place or, where only one recorded file has this name, with leading folders left out. */
  private copyOf(recorded: string, { folder, files }: SourceCopies): string | undefined {
    const file = files.get(recorded);
    if (file === undefined || this.sources.modifiedAt(file) !== undefined) return file;
    const isNamesake = (other: string) => path.basename(other) === path.basename(file);
    if ([...files.values()].filter(isNamesake).length > 1) return undefined;
    const { names } = partsOf(path.relative(folder, file));
    const shorter = names.slice(1).map((_, at) => path.join(folder, names.slice(at + 1).join(path.sep)));
    return shorter.find((one) => this.sources.modifiedAt(one) !== undefined);
  }

  /** The files whose path has the longest ending in common with the recorded one, and whether that is enough to decide. */
  private longestEnding(parts: Parts): { files: string[]; length: number; enough: boolean } {
    let length = 0;
    let files: string[] = [];
    if (systemFolder.test(parts.text)) return { files, length, enough: false };
    for (const file of this.sources.byBaseName.get(parts.names[parts.names.length - 1]) ?? []) {
      if (this.copyFiles.has(file)) continue;
      const common = commonEnding(parts.names, partsOf(file).names);
      if (common > length) {
        length = common;
        files = [];
      }
      if (common === length) files.push(file);
    }
    const onlyBaseName = parts.names.length === 1 && !parts.rooted && !parts.upwards;
    return { files, length, enough: length >= 2 || (onlyBaseName && length === 1) };
  }

  /** Remembers which folder here each of the recorded folders above the common ending is. */
  private learn(recorded: Parts, here: Parts, ending: number): void {
    for (let drop = 1; drop <= ending; drop++) {
      entryOf(this.learned, folderKey(recorded, drop), () => new Set()).add(folderKey(here, drop));
    }
  }

  private agrees(recorded: Parts, here: Parts): boolean {
    const ending = commonEnding(recorded.names, here.names);
    for (let drop = 1; drop <= ending; drop++) {
      const known = this.learned.get(folderKey(recorded, drop));
      if (known !== undefined) return known.size === 1 && known.has(folderKey(here, drop));
    }
    return this.wholeFolderFound(recorded, here);
  }

  /** Whether a file that agrees in its folder's name alone has at least half of the recorded files of that folder beside it. */
  private isAmongSiblings(recorded: Parts, file: string, ending: number): boolean {
    if (ending !== 2 || !recorded.rooted) return true;
    const folders = [folderKey(recorded), path.dirname(file)] as const;
    return entryOf(this.alike, folders.join("\0"), () => {
      const siblings = this.byFolder.get(folders[0]) ?? [];
      const beside = siblings.filter((one) => this.sources.has(path.join(folders[1], path.basename(slashed(one)))));
      return 2 * beside.length >= siblings.length;
    });
  }

  private wholeFolderFound(recorded: Parts, here: Parts): boolean {
    const siblings = this.byFolder.get(folderKey(recorded)) ?? [];
    const folder = folderKey(here);
    return (
      siblings.length >= 2 &&
      siblings.every((sibling) => {
        const { files } = this.longestEnding(partsOf(sibling));
        return files.length === 1 && folderKey(partsOf(files[0])) === folder;
      })
    );
  }
}

interface Parts {
  readonly text: string;
  readonly names: readonly string[];
  readonly rooted: boolean;
  /** Starts with `..`: relative to a build folder that is not known. */
  readonly upwards: boolean;
}

/** Windows paths are recorded with backslashes; a drive letter stays a first part like any other. */
function slashed(recorded: string): string {
  return /^[A-Za-z]:[\\/]/.test(recorded) || !recorded.includes("/") ? recorded.replaceAll("\\", "/") : recorded;
}

function partsOf(recorded: string): Parts {
  const text = slashed(recorded);
  const names: string[] = [];
  let upwards = false;
  for (const name of text.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) upwards = true;
  }
  return { text, names, rooted: text.startsWith("/") || /^[A-Za-z]:/.test(text), upwards };
}

function folderKey(parts: Parts, drop = 1): string {
  return `${parts.rooted ? "/" : parts.upwards ? "../" : ""}${parts.names.slice(0, -drop).join("/")}`;
}

function commonEnding(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return length;
}
