import type { Neighbours } from "./neighbours";
import type { SymbolIndex } from "./symbolIndex";
import type { KnownType } from "./typeFit";

/** What names of types stand for in a file: as the file itself says, else the files that it includes. */
export class TypeNames {
  /** By file and name. */
  private readonly found = new Map<string, Map<string, KnownType>>();

  constructor(
    private readonly index: SymbolIndex,
    private readonly neighbours: Neighbours,
  ) {}

  /** The source changed: everything is to be looked up anew. */
  forget(): void {
    this.found.clear();
  }

  of(file: string): (name: string) => KnownType {
    const found = this.found.get(file) ?? new Map<string, KnownType>();
    this.found.set(file, found);
    return (name) => {
      if (!found.has(name)) found.set(name, this.look(name, file));
      return found.get(name);
    };
  }

  private look(name: string, file: string): KnownType {
    let known: KnownType;
    for (const near of [file, ...this.neighbours.of(file)]) {
      const facts = this.index.facts(near);
      if (facts === undefined) continue;
      if (facts.aliases.has(name)) {
        const type = facts.aliases.get(name);
        // Said in several ways, here or there: it may stand for any of them.
        if (type === undefined || (known?.kind === "alias" && known.type !== type)) return undefined;
        known = { kind: "alias", type };
      } else if (known === undefined && facts.classes.some((one) => one.name === name)) known = { kind: "class" };
    }
    return known;
  }
}
