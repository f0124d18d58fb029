/** Which resources of a recording are hardware, by the words that tools have for them (hwloc, SimGrid, HPCToolkit, the tracker). Pure. */
export const hardwareKinds = [
  "machine",
  "package",
  "memory",
  "cache",
  "core",
  "hardware thread",
  "GPU",
  "device",
  "link",
  "router",
  "zone",
] as const;
export type HardwareKind = (typeof hardwareKinds)[number];

const WORDS: readonly (readonly [RegExp, HardwareKind])[] = [
  [/^(?:machine|host|computer|node|server)$/i, "machine"],
  [/^(?:package|socket|die)$/i, "package"],
  [/^(?:numanode|memcache|memory ?node)$/i, "memory"],
  // `L2`, `L1d`, `L1iCache`; hwloc before 2.0 says `Cache`.
  [/^(?:l[1-5][di]?(?:cache)?|cache)$/i, "cache"],
  [/^core$/i, "core"],
  [/^(?:pu|hardware thread)$/i, "hardware thread"],
  [/^(?:gpu|coproc)$/i, "GPU"],
  [/^(?:pci|pcidev|hostbridge|pcibridge|bridge|net|block|osdev|misc|openfabrics|dma)$/i, "device"],
  [/^links?$/i, "link"],
  [/^(?:router|switch)$/i, "router"],
];

/** What a resource of this type is; undefined where it is no hardware, or only what holds some. */
export function hardwareKindOf(type: string): HardwareKind | undefined {
  return WORDS.find(([words]) => words.test(type))?.[1];
}
