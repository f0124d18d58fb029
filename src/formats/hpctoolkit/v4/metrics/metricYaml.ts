/** Text of a taxonomy as plain values: what YAML allows beyond that is resolved here, within bounds. */
import { parse } from "yaml";

/** Larger files are no taxonomies; the parser cannot be interrupted. */
export const MOST_YAML_BYTES = 512 << 10;
/** Anchors and aliases: the parser looks for each alias among all of them. Taxonomies have some hundreds. */
const MOST_ANCHORS = 10_000;
/** Keys that merges may copy in all, and merges of merges of merges. */
const MOST_MERGED = 100_000;
const DEEPEST_MERGE = 64;

/** @returns undefined where the text is not YAML, or is made to take time or room without end */
export function parsedYaml(text: string): unknown {
  if ((text.match(/[&*][^\s,[\]{}]/g) ?? []).length > MOST_ANCHORS) return undefined;
  try {
    // Aliases become the same object again, so any number of them takes no room; what walks them has a budget. The parser's own
    // merging and its search for equal keys take time that grows with the square of the text or faster.
    const root = parse(text, { merge: false, uniqueKeys: false, maxAliasCount: -1, logLevel: "silent" }) as unknown;
    return new Merging().all(root) ? root : undefined;
  } catch {
    return undefined; // not YAML, or nested so deeply that the parser gave up
  }
}

type Fields = Record<string, unknown>;

/** Merge keys: `<<: *other` stands for the keys of `other` that are not there. */
class Merging {
  private left = MOST_MERGED;

  /** @returns false where the bounds were passed */
  all(root: unknown): boolean {
    const seen = new Set<object>();
    const open = [root];
    while (open.length > 0) {
      const node = open.pop();
      if (typeof node !== "object" || node === null || seen.has(node)) continue;
      seen.add(node);
      if (isFields(node) && !this.merge(node, 0)) return false;
      for (const child of Object.values(node)) open.push(child);
    }
    return true;
  }

  private merge(node: Fields, depth: number): boolean {
    if (!Object.hasOwn(node, "<<")) return true;
    const sources = [node["<<"]].flat();
    // Taken away first: a map that merges itself in has nothing to add.
    delete node["<<"];
    for (const source of sources) {
      if (!isFields(source)) continue;
      if (depth === DEEPEST_MERGE || !this.merge(source, depth + 1)) return false;
      for (const [key, value] of Object.entries(source)) {
        if (--this.left < 0) return false;
        if (!Object.hasOwn(node, key))
          Object.defineProperty(node, key, { value, writable: true, enumerable: true, configurable: true });
      }
    }
    return true;
  }
}

function isFields(node: unknown): node is Fields {
  return typeof node === "object" && node !== null && !Array.isArray(node);
}
