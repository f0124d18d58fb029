/** At most `most` characters, the end kept too: what tells long names apart is often there. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const tail = Math.floor(most / 3);
  return `${text.slice(0, most - tail - 1)}…${text.slice(text.length - tail)}`;
}
