/** Members that are looked for by their numbers. Pure. */

/**
 * Positions of the members that are looked for: `4`, `0-3, 8`; `0` also finds what belongs to rank 0, such as its threads.
 *
 * @returns undefined while nothing is searched for
 */
export function findMembers(keys: readonly string[], text: string): ReadonlySet<number> | undefined {
  const wanted = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (wanted.length === 0) return undefined;
  const tests = wanted.map((part) => {
    const range = /^(\d{1,12})\s*-\s*(\d{1,12})$/.exec(part);
    if (!range) return (key: string) => key === part || key.startsWith(`${part}.`);
    return (key: string) => Number(key) >= Number(range[1]) && Number(key) <= Number(range[2]);
  });
  return new Set([...keys.keys()].filter((position) => tests.some((test) => test(keys[position]))));
}
