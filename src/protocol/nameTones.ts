/** Colours by which functions are told apart, as numbers: hues around the circle, and lightnesses of each. */

export const HUES = 16;
export const LIGHTNESSES = 3;
/** Lightnesses by which functions of one kind differ. */
export const SHADES = 5;
/** Hues between those of the first functions, as long as there is room for that. */
const APART = 3;

/**
 * The hue of a function follows from its name, but for those that have one too near to it already: these have the nearest one that is far
 * enough from those before.
 *
 * @param names of all functions of a recording, those that matter most first: what is in sight has no say
 * @returns by name: its hue, + {@link HUES} for each lightness that others of that hue have
 */
export function nameTones(names: Iterable<string>): ReadonlyMap<string, number> {
  const tones = new Map<string, number>();
  let taken: number[] = [];
  let level = 0;
  for (const name of names) {
    if (tones.has(name)) continue;
    if (taken.length === HUES) {
      taken = [];
      level = (level + 1) % LIGHTNESSES;
    }
    const hue = freeHue(hashOf(name) % HUES, taken);
    taken.push(hue);
    tones.set(name, hue + HUES * level);
  }
  return tones;
}

function freeHue(wanted: number, taken: readonly number[]): number {
  const nearest = Array.from({ length: HUES }, (_, at) => at).sort(
    (a, b) => around(a, wanted) - around(b, wanted) || a - b,
  );
  for (let apart = APART; apart > 0; apart--) {
    const free = nearest.find((hue) => taken.every((other) => around(hue, other) >= apart));
    if (free !== undefined) return free;
  }
  return wanted;
}

/** Steps between two hues. */
function around(a: number, b: number): number {
  const way = Math.abs(a - b);
  return Math.min(way, HUES - way);
}

/** FNV-1a. */
function hashOf(name: string): number {
  let hash = 2166136261;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 16777619) >>> 0;
  return hash;
}
