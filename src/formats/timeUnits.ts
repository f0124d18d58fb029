/** Units of time as tools write them, in lower case: how many make a second. */
export const PER_SECOND: ReadonlyMap<string, number> = new Map(
  (
    [
      [1, ["s", "sec", "seconds"]],
      [1e3, ["ms", "msec"]],
      [1e6, ["us", "µs", "usec"]],
      [1e9, ["ns", "nsec"]],
    ] as const
  ).flatMap(([perSecond, words]) => words.map((word) => [word, perSecond] as const)),
);
