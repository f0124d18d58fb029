/** Pieces of sentences and lists. */

/** `1 file`, `8 files`, `2 entries`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** The parts that there are, with a separator between them. */
export function joined(parts: readonly (string | undefined)[], separator: string): string {
  return parts.filter((part) => part !== undefined && part !== "").join(separator);
}

/** The first of many names: `a, b and 7 more`. */
export function someOf(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

/** A long list without its end: `0, 3, 8, …`. */
export function cutList(list: string, most: number): string {
  return list.length > most ? `${list.slice(0, most)} …` : list;
}

/** At most `most` characters, the end kept too: long names often differ only there. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const tail = Math.floor(most / 3);
  return `${text.slice(0, most - tail - 1)}…${text.slice(text.length - tail)}`;
}
