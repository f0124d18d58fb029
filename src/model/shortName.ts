const MOST = 200;

/** A name as a line of text shows it: of one that is longer than people read, its two ends. Tools write names of any length. */
export function shortName(name: string, most = MOST): string {
  if (name.length <= most) return name;
  const half = Math.floor((most - 1) / 2);
  return `${name.slice(0, half)}…${name.slice(-half)}`;
}
