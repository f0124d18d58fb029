import { entryOf } from "../model/maps";
import { functionMarks, functionNameWords, isReporting, regionBegins, regionEnds } from "./annotations";
import { readLiteral } from "./literals";
import type { WordIndex } from "./wordIndex";
import { hashWord, wordsIn } from "./words";

export interface Macro {
  readonly name: string;
  /** Undefined: a macro without parameter list. */
  readonly parameters: readonly string[] | undefined;
  readonly body: string;
}

/** What a name does to regions, through every `#define` of it in any file and any branch. */
export interface Role {
  readonly begins: boolean;
  readonly ends: boolean;
  readonly marksFunction: boolean;
  /** The region's name is given as plain text that becomes a string (`#name`). */
  readonly stringifies: boolean;
}

/** Longer chains of macros are not followed. */
const LONGEST_CHAIN = 10;
const defineLine = /^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([^)\n]*)\))?((?:[^\n\\]|\\[^])*)/gm;

/** The folders' macros, as far as they lead to annotations. */
export class Macros {
  private leading: ReadonlyMap<number, readonly number[]> | undefined;
  private readonly roles = new Map<string, Role>();
  private readonly byFile = new Map<number, readonly Macro[]>();

  constructor(private readonly words: WordIndex) {}

  /** Everything is to be found anew: files changed. */
  forget(): void {
    this.leading = undefined;
    this.roles.clear();
    this.byFile.clear();
  }

  /** What this name does: a known annotation, or a macro that leads to one. */
  roleOf(name: string): Role {
    return entryOf(this.roles, name, () => this.expand(name));
  }

  /** Whether some file of the folders defines this macro so that it leads to an annotation. */
  leads(name: string): boolean {
    return this.leadingMacros().has(hashWord(name));
  }

  /** Files that hold a known function mark, `__func__`, or a macro that leads to one. */
  filesWithMarks(): ReadonlySet<number> {
    const files = new Set<number>();
    const marks = [...functionMarks, ...functionNameWords];
    for (const mark of marks) for (const file of this.words.filesWith(mark)) files.add(file);
    for (const macro of this.words.defines.leadingTo(marks.map(hashWord)).keys())
      for (const file of this.words.filesWithHash(macro)) files.add(file);
    return files;
  }

  /** Names of the macros whose body calls or names this, by any chain: with it, all that stands for it in the text. */
  aliasesOf(name: string): Set<string> {
    const aliases = new Set([name]);
    for (const files of this.words.defines.leadingTo([hashWord(name)]).values()) {
      // A macro's text has its name; the table has only hashes.
      for (const file of files.slice(0, 20))
        for (const macro of this.macrosOf(file)) if (this.leadsTo(macro, name)) aliases.add(macro.name);
    }
    return aliases;
  }

  /** Macros that stand for this string: `#define SOLVE "solve"`. */
  literalMacros(literal: string, word: string): string[] {
    const names = new Set<string>();
    for (const files of this.words.defines.leadingTo([hashWord(word)]).values())
      for (const file of files.slice(0, 20))
        for (const macro of this.macrosOf(file))
          if (macro.parameters === undefined && readLiteral(macro.body.trim()) === literal) names.add(macro.name);
    return [...names];
  }

  /** Macros without parameters that are replaced by this name, `solve` in `#define solve my_solve`, and their files. */
  renamedTo(name: string): { readonly name: string; readonly file: number }[] {
    return [...new Set(this.words.defines.filesRenamingTo(hashWord(name)))].flatMap((file) =>
      this.macrosOf(file)
        .filter((macro) => macro.parameters === undefined && isOnly(name, macro.body))
        .map((macro) => ({ name: macro.name, file })),
    );
  }

  /** Files that use a macro which makes a region's name from plain text (`#define PHASE(name) … #name`). */
  filesStringifying(): ReadonlySet<number> {
    const files = new Set<number>();
    const defining = new Set([...this.leadingMacros().values()].flat());
    for (const file of [...defining].slice(0, 200))
      for (const macro of this.macrosOf(file))
        if (this.leads(macro.name) && stringifies(macro))
          for (const user of this.words.filesWith(macro.name)) files.add(user);
    return files;
  }

  private leadsTo(macro: Macro, name: string): boolean {
    return wordsIn(macro.body).includes(name);
  }

  private expand(start: string): Role {
    const role = { begins: false, ends: false, marksFunction: false, stringifies: false };
    const seen = new Set([start]);
    let names = [start];
    for (let chain = 0; chain < LONGEST_CHAIN && names.length > 0; chain++) {
      const next: string[] = [];
      for (const name of names) {
        role.begins ||= regionBegins.has(name);
        role.ends ||= regionEnds.has(name);
        role.marksFunction ||= functionMarks.has(name);
        for (const macro of this.definitionsOf(name)) {
          const words = wordsIn(macro.body);
          if (words.some((word) => functionNameWords.has(word)) && !isReporting(macro.body)) role.marksFunction = true;
          role.stringifies ||= stringifies(macro);
          for (const word of words) {
            if (seen.has(word)) continue;
            seen.add(word);
            if (this.leads(word) || isAnnotation(word)) next.push(word);
          }
        }
      }
      names = next;
    }
    // `SCOPE_BEGIN_END(x)` that does both wraps a statement: it begins.
    return role;
  }

  private definitionsOf(name: string): Macro[] {
    const files = this.leadingMacros().get(hashWord(name)) ?? [];
    return files.flatMap((file) => this.macrosOf(file).filter((macro) => macro.name === name));
  }

  private leadingMacros(): ReadonlyMap<number, readonly number[]> {
    this.leading ??= this.words.defines.leadingTo(
      [...regionBegins, ...regionEnds, ...functionMarks, ...functionNameWords].map(hashWord),
    );
    return this.leading;
  }

  private macrosOf(file: number): readonly Macro[] {
    let macros = this.byFile.get(file);
    if (macros === undefined) {
      const text = this.words.sources.read(this.words.sources.files[file])?.text ?? "";
      macros = [...text.matchAll(defineLine)].map(([, name, parameters, body]) => ({
        name,
        parameters: parameters === undefined ? undefined : (parameters.match(/\w+/g) ?? []),
        body: body.replace(/\\\r?\n/g, " "),
      }));
      this.byFile.set(file, macros);
    }
    return macros;
  }
}

/** Comments behind a macro's body. */
const comments = /^(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/.*)*$/;

function isOnly(name: string, body: string): boolean {
  const text = body.trimStart();
  return text.startsWith(name) && comments.test(text.slice(name.length));
}

function stringifies(macro: Macro): boolean {
  return macro.parameters?.some((parameter) => new RegExp(`(?<!#)#\\s*${parameter}\\b`).test(macro.body)) ?? false;
}

function isAnnotation(word: string): boolean {
  return regionBegins.has(word) || regionEnds.has(word) || functionMarks.has(word);
}
