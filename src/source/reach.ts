import type { Call, Extent, FileFacts } from "./facts";
import type { Neighbours } from "./neighbours";
import type { Pace } from "./pace";
import type { Site } from "./sites";
import type { SiteFinder } from "./sites";
import type { SymbolIndex } from "./symbolIndex";

/** A stretch of source that runs, without what inner regions take over. */
export interface Stretch {
  readonly facts: FileFacts;
  readonly extent: Extent;
  readonly calls: readonly Call[];
  readonly inner: readonly Extent[];
}

export interface Hit<T> {
  readonly what: T;
  /** The call that leads to it, where one does. */
  readonly call: Call | undefined;
  readonly from: Stretch;
}

/** How many calls deep a search goes, and how many functions it opens: beyond that a link would be a guess. */
const DEEPEST = 6;
const MOST_OPENED = 300;

/** Searches along the calls that leave a region or function (semantics 5, "call depth from the parent"). */
export class Reach {
  constructor(
    private readonly index: SymbolIndex,
    private readonly finder: SiteFinder,
    private readonly neighbours: Neighbours,
  ) {}

  /**
   * What is found nearest to the sites: all hits of the smallest call depth. Functions that are regions of their own are not
   * entered: what they call stands below them in the recording. Nor are regions inside a function, unless `throughRegions`:
   * below a sampled function stands all that its text holds.
   */
  async nearest<T>(
    from: readonly Site[],
    hitsIn: (stretch: Stretch) => readonly Hit<T>[],
    pace: Pace,
    { entersMarked = false, throughRegions = false } = {},
  ): Promise<{ hits: Hit<T>[]; depth: number }> {
    let stretches = from.flatMap((site) => this.stretchOf(site, throughRegions) ?? []);
    const seen = new Set(stretches.map(keyOf));
    let opened = 0;
    for (let depth = 0; depth <= DEEPEST && stretches.length > 0; depth++) {
      const hits = stretches.flatMap((stretch) => hitsIn(stretch));
      if (hits.length > 0) return { hits, depth };
      const next: Stretch[] = [];
      for (const stretch of stretches) {
        for (const call of distinct(stretch.calls)) {
          if (opened >= MOST_OPENED) break;
          await pace.breathe();
          for (const site of await this.called(call, stretch.facts, pace)) {
            if (!entersMarked && this.isMarked(site)) continue;
            const inside = this.stretchOf(site, throughRegions);
            if (inside === undefined || seen.has(keyOf(inside))) continue;
            seen.add(keyOf(inside));
            next.push(inside);
            opened++;
          }
        }
      }
      stretches = next;
    }
    return { hits: [], depth: -1 };
  }

  /** What runs in a site, without the regions that begin inside it. */
  stretchOf(site: Site, throughRegions = false): Stretch | undefined {
    const facts = this.index.facts(site.place.file);
    if (facts === undefined) return undefined;
    const { extent } = site;
    if (throughRegions) return { facts, extent, calls: callsIn(facts, extent), inner: [] };
    const inner = this.index
      .beginsOf(facts)
      .filter((begin) => begin.known && begin.call.at > extent.from && begin.call.at < extent.to)
      .map((begin) => begin.extent);
    const { marked } = this.index.marksOf(facts);
    facts.definitions.forEach((definition, id) => {
      if (
        definition.at > extent.from &&
        definition.to <= extent.to &&
        definition.at !== site.definition?.at &&
        marked.has(id)
      )
        inner.push(definition);
    });
    const calls = callsIn(facts, extent).filter(
      (call) => !inner.some(({ from, to }) => call.at > from && call.at < to),
    );
    return { facts, extent, calls, inner };
  }

  /** The definitions that a call may lead to. */
  async called(call: Call, facts: FileFacts, pace: Pace): Promise<Site[]> {
    const type = this.objectType(call.callee, call, facts);
    const name = type === undefined ? call.callee : "operator()";
    if (name === "" || name.length < 2) return [];
    const { sites } = await this.finder.definitionSites(name, () => this.neighbours.of(facts.file), pace);
    const visible = sites.filter((site) => this.mayCall(call, facts, site, type));
    const own = visible.filter((site) => site.place.file === facts.file);
    const fitting = (own.length > 0 ? own : visible).filter((site) => takes(site, call));
    return fitting.length > 0 ? fitting : own.length > 0 ? own : visible;
  }

  /** Whether a call can mean this definition, as far as scopes, visibility and the object's type say. */
  mayCall(call: Call, facts: FileFacts, site: Site, type = this.objectType(call.callee, call, facts)): boolean {
    const { definition } = site;
    if (definition === undefined) return false;
    if (definition.local && !this.neighbours.sees(facts.file, site.place.file)) return false;
    if (type !== undefined) return definition.scopes[definition.scopes.length - 1] === type;
    const qualifiers = call.qualifiers.filter((part) => part !== "this");
    const last = qualifiers[qualifiers.length - 1];
    if (last !== undefined && last.length > 1 && isStandard(qualifiers[0])) return false;
    return true;
  }

  /** The class of the object that is called like a function (`halo(x)`), by its declaration; undefined for an ordinary call. */
  objectType(name: string, call: Call, facts: FileFacts): string | undefined {
    if (call.kind !== "call") return undefined;
    return this.typeOfName(name, call, facts);
  }

  /** The class of the object whose member is called (`op_.apply()`): undefined where its declaration does not say. */
  receiverType(call: Call, facts: FileFacts): string | undefined {
    const { receiver } = call;
    if (receiver === undefined) return undefined;
    if (receiver === "this") {
      const scopes = facts.definitions[call.within]?.scopes;
      return scopes?.[scopes.length - 1];
    }
    return this.typeOfName(receiver, call, facts);
  }

  private typeOfName(name: string, call: Call, facts: FileFacts): string | undefined {
    for (let id = call.within; id >= 0; id = facts.definitions[id].within) {
      const type = facts.definitions[id].types.get(name);
      if (type !== undefined) return className(type);
    }
    const scopes = facts.definitions[call.within]?.scopes ?? [];
    const owner = scopes[scopes.length - 1];
    if (owner === undefined) return undefined;
    for (const file of this.neighbours.of(facts.file)) {
      const type = this.index
        .facts(file)
        ?.classes.find(({ name: own }) => own === owner)
        ?.fields.get(name);
      if (type !== undefined) return className(type);
    }
    return undefined;
  }

  private isMarked(site: Site): boolean {
    const facts = this.index.facts(site.place.file);
    if (facts === undefined) return false;
    // By position: the facts may have been read anew since the site was found.
    const id = facts.definitions.findIndex(({ at }) => at === site.definition?.at);
    return this.index.marksOf(facts).marked.has(id);
  }
}

/** Whether a definition takes as many arguments as a call gives. */
export function takes(site: Site, call: Call): boolean {
  const { definition } = site;
  if (definition === undefined) return true;
  const given = call.arguments;
  return given >= definition.required && (given <= definition.parameters.length || definition.variadic);
}

function callsIn(facts: FileFacts, { from, to }: Extent): Call[] {
  return facts.calls.filter((call) => call.at >= from && call.at < to);
}

function className(type: string): string | undefined {
  const plain = withoutReference(withoutReference(type).replace(/(?<!\w)const$/, ""));
  const template = plain.endsWith(">") ? plain.indexOf("<") : -1;
  const name = /(?<!\w)([A-Za-z_]\w*)\s*$/.exec(template < 0 ? plain : plain.slice(0, template))?.[1];
  return name === undefined || /^(auto|int|double|float|char|bool|long|short|unsigned|void|const|size_t)$/.test(name)
    ? undefined
    : name;
}

function withoutReference(type: string): string {
  return type.replace(/(?<![\s&*])[\s&*]+$/, "");
}

function isStandard(scope: string): boolean {
  return scope === "std" || scope === "__gnu_cxx" || scope === "boost" || scope === "thrust";
}

function distinct(calls: readonly Call[]): Call[] {
  const seen = new Map<string, Call>();
  for (const call of calls) {
    const key = `${call.callee}/${call.arguments}/${call.receiver ?? ""}/${call.qualifiers.join(":")}`;
    if (!seen.has(key)) seen.set(key, call);
  }
  return [...seen.values()];
}

function keyOf(stretch: Stretch): string {
  return `${stretch.facts.file}\n${stretch.extent.from}`;
}
