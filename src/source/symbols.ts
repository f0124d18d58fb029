import type { Definition, FileFacts } from "./facts";
import { fortranCalls } from "./fortranCalls";
import { isCaseless, servedLanguageOf } from "./languages";
import { Nesting } from "./nesting";
import { parseSignature } from "./signature";
import type { Sources } from "./sources";

/** What a language server says of one name in a file. Lines are 1-based. */
export interface FileSymbol {
  /** As the server shows it: `step`, `(*Solver).Step`, `step(int)`. */
  readonly name: string;
  readonly kind: "function" | "class" | "namespace";
  /** Of the name. */
  readonly line: number;
  /** First and last line of all of it. */
  readonly from: number;
  readonly to: number;
  /** Names of the symbols around it, outermost first. */
  readonly within: readonly string[];
}

/** What a language server answered for one file. */
export interface SymbolsOfFile {
  readonly file: string;
  /** Undefined: no language server answered. */
  readonly symbols: readonly FileSymbol[] | undefined;
}

/** Files that are asked for at once, and in all: each is opened by its language server. */
const MOST_AT_ONCE = 50;
const MOST_IN_ALL = 1000;
const MOST_SYMBOLS = 20_000;
/** Characters from the line of a name on in which it is looked for. */
const MOST_HEAD = 1000;

interface Answer {
  readonly hash: string;
  /** Undefined where no server answered. */
  readonly facts: FileFacts | undefined;
}

/**
 * Symbols of files without a grammar, which come from outside: a file that holds a wanted name is put on a list, the
 * window takes the list to a language server and hands symbols in, and from then on they count as the file's definitions until its
 * text changes.
 */
export class Symbols {
  private readonly answers = new Map<string, Answer>();
  private readonly wanted = new Set<string>();
  private asked = 0;
  private onWanted: (() => void) | undefined;
  private readonly withoutServer = new Set<string>();

  constructor(private readonly sources: Sources) {}

  /** What is known of a file; where nothing is, it is asked for. */
  facts(file: string): FileFacts | undefined {
    const source = this.sources.read(file);
    if (source === undefined) return undefined;
    const known = this.answers.get(file);
    if (known?.hash === source.hash) return known.facts;
    if (this.asked < MOST_IN_ALL && !this.wanted.has(file)) {
      this.asked++;
      this.wanted.add(file);
      this.onWanted?.();
    }
    return undefined;
  }

  /** From now on language servers can be asked. @param onWanted called when a file is put on the list */
  serve(onWanted: () => void): void {
    this.onWanted = onWanted;
  }

  /** The files that symbols are wanted of; they are not named again. */
  take(): string[] {
    const files = [...this.wanted].slice(0, MOST_AT_ONCE);
    for (const file of files) this.wanted.delete(file);
    return files;
  }

  /** @returns whether links, or the reasons given for them, may be others now */
  set(files: readonly SymbolsOfFile[]): boolean {
    let changed = false;
    for (const { file, symbols } of files) {
      const language = servedLanguageOf(file);
      const source = this.sources.read(file);
      if (language === undefined || source === undefined) continue;
      if (symbols === undefined) this.withoutServer.add(language);
      else this.withoutServer.delete(language);
      const facts = symbols && factsFrom(file, source.hash, source.text, symbols.slice(0, MOST_SYMBOLS));
      this.answers.set(file, { hash: source.hash, facts });
      changed = true;
    }
    return changed;
  }

  /** Why a name was not found in these files: a sentence's end; undefined where all of them are known. */
  missing(files: readonly string[]): string | undefined {
    const unknown = new Set<string>();
    for (const file of files) {
      const language = servedLanguageOf(file);
      if (language !== undefined && this.answers.get(file)?.facts === undefined) unknown.add(language);
    }
    if (unknown.size === 0) return undefined;
    const named = [...unknown].sort();
    const pending = this.onWanted !== undefined && !named.some((language) => this.withoutServer.has(language));
    const text = named.join(" and ");
    return pending
      ? `the symbols of ${text} files are being asked for`
      : `no language server gives symbols of ${text} files`;
  }
}

/** Facts as far as symbols have them: parameters are not known, so any fit. */
function factsFrom(file: string, hash: string, text: string, symbols: readonly FileSymbol[]): FileFacts {
  const nesting = new Nesting(text);
  const { lineStarts } = nesting;
  const startOf = (line: number) => lineStarts[Math.min(Math.max(line, 1), lineStarts.length) - 1];
  const caseless = isCaseless(file);
  const spelled = (name: string) => (caseless ? name.toLowerCase() : name);
  const definitions: Definition[] = [];
  const around: { to: number; id: number }[] = [];
  for (const symbol of [...symbols].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const head = text.slice(startOf(symbol.line), startOf(symbol.line) + MOST_HEAD);
    // Servers take a program for a module.
    if (symbol.kind !== "function" && !(caseless && /^\s*program\s/i.test(head))) continue;
    const { name, scopes } = parseSignature(spelled(symbol.name));
    if (name === "") continue;
    const from = startOf(symbol.from);
    const to = symbol.to >= lineStarts.length ? text.length : startOf(symbol.to + 1);
    while (around.length > 0 && around[around.length - 1].to <= from) around.pop();
    const within = around[around.length - 1]?.id ?? -1;
    const outer = symbol.within.flatMap((one) => wordsOf(spelled(one)));
    const column = spelled(head).search(new RegExp(`\\b${escaped(name)}\\b`));
    const id = definitions.push({
      from,
      to,
      name,
      scopes: [...outer, ...scopes],
      enclosingClasses: 0,
      line: symbol.line,
      at: startOf(symbol.line) + Math.max(column, 0),
      parameters: ["..."],
      parameterNames: [],
      required: 0,
      variadic: true,
      local: false,
      lambda: false,
      constant: false,
      templateParameters: [],
      outerTemplateParameters: [],
      types: new Map(),
      within,
    });
    around.push({ to, id: id - 1 });
  }
  const of = (kind: FileSymbol["kind"]) =>
    symbols.filter((symbol) => symbol.kind === kind).map(({ name }) => spelled(name));
  return {
    file,
    hash,
    lineStarts,
    language: "served",
    definitions,
    calls: caseless ? fortranCalls(text, nesting, definitions, /\.(?:f|for|ftn|f77)$/i.test(file)) : [],
    classes: of("class").map((name) => ({ name, bases: [], fields: new Map() })),
    namespaces: new Set(of("namespace")),
    includes: [],
    aliases: new Map(),
  };
}

/** `impl Run for Solver` → `Solver`, `(*Solver)` → `Solver`. */
function wordsOf(name: string): string[] {
  const type = /^impl\b.* for (.*)$/s.exec(name)?.[1] ?? name.replace(/^impl\b(?:<[^>]*>)?/, "");
  return (
    type
      .replace(/<[^]*$/, "")
      .match(/[\w\u0080-\uffff]+/g)
      ?.slice(-4) ?? []
  );
}

function escaped(name: string): string {
  return name.replace(/[^\w]/g, "\\$&");
}
