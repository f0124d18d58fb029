import path from "node:path";
import { Language as Grammar, Parser, Query, type QueryCapture } from "web-tree-sitter";
import { type Language, languages } from "./languages";

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

/** Longest time, in milliseconds, that one file may take: hostile text can make error recovery very slow. */
const LONGEST_PARSE = 4_000;

interface Loaded {
  readonly parser: Parser;
  readonly query: Query;
}

/** A parser with its grammar and one query for each language (9 to 15 ms a grammar). */
export class Grammars {
  private static started: Promise<void> | undefined;

  private constructor(private readonly loaded: ReadonlyMap<Language, Loaded>) {}

  static async load(files: GrammarFiles, queries: Readonly<Record<Language, string>>): Promise<Grammars> {
    Grammars.started ??= Parser.init({ locateFile: () => files.runtime });
    await Grammars.started;
    const loaded = new Map<Language, Loaded>();
    for (const language of languages) {
      const grammar = await Grammar.load(files[language]);
      const parser = new Parser();
      parser.setLanguage(grammar);
      loaded.set(language, { parser, query: new Query(grammar, queries[language]) });
    }
    return new Grammars(loaded);
  }

  /**
   * Parses a text and hands the query's captures out, in the order of the text; the tree is freed afterwards.
   *
   * @returns what `use` returns; undefined when the text takes too long
   */
  withCaptures<T>(language: Language, text: string, use: (captures: QueryCapture[]) => T): T | undefined {
    const { parser, query } = this.of(language);
    const deadline = performance.now() + LONGEST_PARSE;
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
    if (tree === null) {
      parser.reset();
      return undefined;
    }
    try {
      return use(query.captures(tree.rootNode));
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
