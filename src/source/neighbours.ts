import path from "node:path";
import { entryOf } from "../model/maps";
import { stemOf } from "./sources";
import type { SymbolIndex } from "./symbolIndex";

/** Files that are considered near at most. */
const MOST_NEAR = 200;

/** Which files a file reaches: those it includes (two steps), and those that share its name but for the ending (`halo.h`, `halo.cpp`). */
export class Neighbours {
  private readonly near = new Map<string, ReadonlySet<string>>();
  private version = -1;

  constructor(private readonly index: SymbolIndex) {}

  /** The file itself, what it includes, and the twins of all of these. */
  of(file: string): ReadonlySet<string> {
    if (this.version !== this.index.sources.version) {
      this.near.clear();
      this.version = this.index.sources.version;
    }
    return entryOf(this.near, file, () => this.collect(file));
  }

  /** Whether `from` sees what is local to `file`: the same file, or a header that it includes. */
  sees(from: string, file: string): boolean {
    return from === file || (!/\.(c|cc|cpp|cxx|cu|C)$/.test(file) && this.of(from).has(file));
  }

  private collect(file: string): Set<string> {
    const near = new Set(this.twins(file));
    let step = [...near];
    for (let depth = 0; depth < 2 && near.size < MOST_NEAR; depth++) {
      const next: string[] = [];
      for (const from of step)
        for (const include of this.index.facts(from)?.includes ?? [])
          for (const found of this.included(include, from))
            for (const twin of this.twins(found))
              if (!near.has(twin) && near.size < MOST_NEAR) {
                near.add(twin);
                next.push(twin);
              }
      step = next;
    }
    return near;
  }

  /** The files that an include may mean: beside the including file, else those whose path ends so. */
  private included(include: string, from: string): readonly string[] {
    const python = from.endsWith(".py");
    const wanted = python ? `${include.replaceAll(".", "/")}.py` : include;
    const beside = path.join(path.dirname(from), wanted);
    const named = this.index.sources.byBaseName.get(path.basename(wanted)) ?? [];
    if (named.includes(beside)) return [beside];
    return named.filter((file) => file.endsWith(`/${path.normalize(wanted).replace(/^(\.\.\/)+/, "")}`)).slice(0, 8);
  }

  private twins(file: string): readonly string[] {
    const named = this.index.sources.byStem.get(stemOf(file)) ?? [file];
    const beside = named.filter((other) => path.dirname(other) === path.dirname(file));
    return beside.length > 0 && named.length > 8 ? beside : named;
  }
}
