import { ByteStrings } from "../../byteStrings";

export type NumberArgument =
  | "correlation"
  | "device"
  | "stream"
  | "context"
  | "caller"
  | "bytes"
  | "peer"
  | "tag"
  | "value"
  | "bandwidth"
  | "fromDevice"
  | "toDevice"
  | "pythonId"
  | "pythonParent"
  | "line"
  | "count"
  | "averageMilliseconds";
export type TextArgument = "callStack" | "file" | "detail";

/** Keys of `args` that mean something here; tools spell some of them in several ways. */
const NUMBERS: Readonly<Record<NumberArgument, readonly string[]>> = {
  correlation: ["correlation"],
  device: ["device"],
  stream: ["stream"],
  context: ["context"],
  caller: ["caller"],
  bytes: ["bytes"],
  peer: ["peer"],
  tag: ["tag"],
  value: ["value"],
  bandwidth: ["memory bandwidth (GB/s)"],
  fromDevice: ["fromDevice"],
  toDevice: ["toDevice"],
  pythonId: ["Python id"],
  pythonParent: ["Python parent id"],
  line: ["line", ".line", "src_line", "source_line"],
  count: ["count"],
  averageMilliseconds: ["avg ms"],
};

const TEXTS: Readonly<Record<TextArgument, readonly string[]>> = {
  callStack: ["Call stack", "call stack", "Call Stack"],
  file: ["file", ".file", "url", "filename", "fileName", "src_file", "source_file"],
  detail: ["detail"],
};

/** The keys by their bytes. */
export const argumentKeys = new ByteStrings();

const names = [...Object.entries(NUMBERS), ...Object.entries(TEXTS)] as [
  NumberArgument | TextArgument,
  readonly string[],
][];
const byKey: number[] = [];
names.forEach(([, keys], slot) => keys.forEach((key) => (byKey[argumentKeys.internText(key)] = slot)));

/** Where each argument is kept: numbers first, then texts. */
export const argumentSlots = {
  /** By number of {@link argumentKeys}. */
  byKey: Int32Array.from(byKey),
  of: Object.fromEntries(names.map(([name], slot) => [name, slot])) as Record<NumberArgument | TextArgument, number>,
  numbers: Object.keys(NUMBERS).length,
  texts: Object.keys(TEXTS).length,
};
