import path from "node:path";
import { Language as Grammar, type Node, Parser, type Tree } from "web-tree-sitter";
import { entryOf } from "../model/maps";
import { type Language, languages } from "./languages";
import { isTrap, ParserMemory } from "./parserMemory";
import { wantedNodes } from "./wantedNodes";

/** Where the `.wasm` files lie: the parser's own, and one a language. Beside the bundle, or in the packages they come from. */
export interface GrammarFiles {
  readonly runtime: string;
  readonly c: string;
  readonly cpp: string;
  readonly python: string;
}

/** All in one folder, as the build lays them beside the bundle. */
export function grammarsBeside(folder: string): GrammarFiles {
  return {
    runtime: path.join(folder, "web-tree-sitter.wasm"),
    c: path.join(folder, "tree-sitter-c.wasm"),
    cpp: path.join(folder, "tree-sitter-cpp.wasm"),
    python: path.join(folder, "tree-sitter-python.wasm"),
  };
}

/** In the packages' own folders, for running from source. */
export function grammarsInPackages(packages: string): GrammarFiles {
  return {
    runtime: path.join(packages, "web-tree-sitter", "web-tree-sitter.wasm"),
    c: path.join(packages, "tree-sitter-c", "tree-sitter-c.wasm"),
    cpp: path.join(packages, "tree-sitter-cpp", "tree-sitter-cpp.wasm"),
    python: path.join(packages, "tree-sitter-python", "tree-sitter-python.wasm"),
  };
}

/**
 * How much work one text may be, counted in calls of the parser's progress (about one for 37 characters of good text): hostile
 * text can make error recovery very slow. Counted, not timed, so that a busy machine gives the same facts.
 */
const mostWork = (text: string) => 20_000 + text.length / 4;

/** A node that facts are made from. */
export interface Capture {
  readonly as: string;
  readonly node: Node;
}

/** What a node's text is. */
export function sourceOf(text: string, node: Node): string {
  return text.slice(node.startIndex, node.endIndex);
}

interface Loaded {
  readonly parser: Parser;
  /** By type id of the node: what it is wanted as, below which type (-1: any). */
  readonly wanted: ReadonlyMap<number, readonly { readonly as: string; readonly below: number }[]>;
}

/** A parser with its grammar for each language (9 to 15 ms per grammar). */
export class Grammars {
  private static memory: Promise<ParserMemory> | undefined;
  /**
   * All that were ever made, also of grammars that then could not be read: the library frees what nobody holds any more at a time of its own,
   * when the memory may have been set back to before it was made.
   */
  private static readonly parsers: Parser[] = [];
  /** By their files. */
  private static readonly all = new Map<string, Promise<Grammars>>();

  private constructor(
    private readonly loaded: ReadonlyMap<Language, Loaded>,
    readonly memory: ParserMemory,
  ) {}

  /**
   * Once in a thread, whoever asks: a grammar that was loaded has its place in the parsers' memory for good (4 MB for the three), which is full
   * after 500 times.
   */
  static load(files: GrammarFiles): Promise<Grammars> {
    const key = JSON.stringify(files);
    return entryOf(Grammars.all, key, () => {
      const started = Grammars.start(files);
      // Files that could not be read now (too many are open) may be read the next time.
      started.catch(() => Grammars.all.delete(key));
      return started;
    });
  }

  private static async start(files: GrammarFiles): Promise<Grammars> {
    Grammars.memory ??= ParserMemory.of(files.runtime, (options) => Parser.init(options));
    const memory = await Grammars.memory.catch((error: unknown) => {
      Grammars.memory = undefined;
      throw error;
    });
    const loaded = new Map<Language, Loaded>();
    for (const language of languages) {
      const grammar = await Grammar.load(files[language]);
      const parser = new Parser();
      Grammars.parsers.push(parser);
      parser.setLanguage(grammar);
      loaded.set(language, { parser, wanted: wantedIn(grammar, language) });
    }
    memory.keep();
    return new Grammars(loaded, memory);
  }

  /**
   * Parses a text and hands the wanted nodes out, in the order of the text, outer before inner; the tree is freed afterwards.
   *
   * @returns what `use` returns; undefined when the text is too much work, or the parser fails on it
   */
  withCaptures<T>(language: Language, text: string, use: (captures: readonly Capture[]) => T): T | undefined {
    try {
      return this.parsed(language, text, use);
    } catch (error) {
      if (!isTrap(error)) throw error;
      this.memory.restore();
      return undefined;
    }
  }

  private parsed<T>(language: Language, text: string, use: (captures: readonly Capture[]) => T): T | undefined {
    const { parser, wanted } = this.of(language);
    let work = mostWork(text);
    const tree = parser.parse(text, null, { progressCallback: () => --work < 0 });
    if (tree === null) {
      parser.reset();
      return undefined;
    }
    try {
      return use(capturesOf(tree, wanted));
    } finally {
      tree.delete();
    }
  }

  private of(language: Language): Loaded {
    const loaded = this.loaded.get(language);
    if (loaded === undefined) throw new Error(`no grammar for ${language}`);
    return loaded;
  }
}

/**
 * One walk over the tree. A query takes as long on ordinary text (0.4 µs per node) but over 40 s on 100,000 nested braces.
 */
function capturesOf(tree: Tree, wanted: Loaded["wanted"]): Capture[] {
  const captures: Capture[] = [];
  const above: number[] = [];
  const cursor = tree.walk();
  try {
    for (;;) {
      const type = cursor.nodeTypeId;
      const uses = wanted.get(type);
      if (uses !== undefined)
        for (const { as, below } of uses)
          if (below < 0 || below === above[above.length - 1]) captures.push({ as, node: cursor.currentNode });
      if (cursor.gotoFirstChild()) {
        above.push(type);
        continue;
      }
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return captures;
        above.pop();
      }
    }
  } finally {
    cursor.delete();
  }
}

function wantedIn(grammar: Grammar, language: Language): Loaded["wanted"] {
  const wanted = new Map<number, { as: string; below: number }[]>();
  const idOf = (type: string) => (type === "ERROR" ? ERROR_TYPE : (grammar.idForNodeType(type, true) ?? NO_TYPE));
  for (const { type, as, below } of wantedNodes[language]) {
    entryOf(wanted, idOf(type), () => []).push({ as, below: below === undefined ? -1 : idOf(below) });
  }
  return wanted;
}

/** The id that every grammar gives to nodes of text that it could not read. */
const ERROR_TYPE = 65535;
const NO_TYPE = 65534;
