import { NONE } from "../../../model/ids";

/** What the header of a part (one dump of one thread) says. */
export interface PartHeader {
  creator: string;
  command: string;
  process: number;
  part: number;
  thread: number;
  /** Names of the cost columns; none before the header says so. */
  events: string[];
  /** Names of the position columns, `line` and `instr`. */
  positions: string[];
  /** Long names of events. */
  eventNames: ReadonlyMap<string, string>;
  /** Other lines, such as `desc: Trigger: …`, by what stands before the colon. */
  others: readonly (readonly [string, string])[];
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();

export function emptyHeader(): PartHeader {
  return {
    creator: "",
    command: "",
    process: NONE,
    part: NONE,
    thread: NONE,
    events: [],
    positions: ["line"],
    eventNames: NO_NAMES,
    others: [],
  };
}

/** Lines of a header that are kept beside those that the reader needs. */
const MOST_OTHERS = 100;
const KEY = /^([A-Za-z][\w ]{0,40}?)\s*:\s*(.*)$/;

/** A header line taken apart; undefined where it is none. */
export function headerLine(text: string): { key: string; value: string } | undefined {
  const found = KEY.exec(text);
  return found ? { key: found[1], value: found[2].trim() } : undefined;
}

/** Notes one line in the header. */
export function noteHeader(header: PartHeader, key: string, value: string): void {
  if (key === "creator") header.creator = value;
  else if (key === "cmd") header.command = value;
  else if (key === "pid") header.process = numberOf(value);
  else if (key === "part") header.part = numberOf(value);
  else if (key === "thread") header.thread = numberOf(value);
  else if (key === "events") header.events = value.split(/\s+/).filter((name) => name !== "");
  else if (key === "positions") header.positions = value.split(/\s+/).filter((name) => name !== "");
  else if (key === "event") {
    const found = eventName(value);
    if (found && header.eventNames.size < MOST_OTHERS) header.eventNames = new Map([...header.eventNames, found]);
  } else if (key === "desc") {
    const found = KEY.exec(value);
    noteOther(header, found ? found[1] : key, found ? found[2].trim() : value);
  } else if (key !== "version" && key !== "summary" && key !== "totals") noteOther(header, key, value);
}

/** The long name of an event: `name [= formula] : long name`, where the name may have a colon of its own (`cycles:u`). */
function eventName(value: string): [name: string, longName: string] | undefined {
  const [name] = value.split(/[\s=]/, 1);
  const behind = /^(?:=[^:]*)?:(.*)$/.exec(value.slice(name.length).trimStart());
  if (behind && name !== "") return [name, behind[1].trim()];
  const colon = name.lastIndexOf(":");
  return colon > 0 ? [name.slice(0, colon), value.slice(colon + 1).trim()] : undefined;
}

function noteOther(header: PartHeader, key: string, value: string): void {
  if (header.others.length < MOST_OTHERS) header.others = [...header.others, [key, value]];
}

const HEADER_KEYS = /^(?:version|creator|pid|cmd|part|thread|desc|positions|event|events|summary|totals)$/;

/**
 * The header that a file begins with.
 *
 * @param head the first bytes of the file
 * @returns undefined where the file does not begin as callgrind's and cachegrind's output does
 */
export function headerOf(head: Uint8Array): PartHeader | undefined {
  const header = emptyHeader();
  let marked = false;
  for (const line of Buffer.from(head).toString("utf8").split("\n")) {
    const text = line.trim();
    if (text === "") continue;
    if (text.startsWith("#")) {
      marked ||= /^#\s*callgrind format/.test(text);
      continue;
    }
    const found = headerLine(text);
    if (found === undefined || !(marked || HEADER_KEYS.test(found.key))) break;
    noteHeader(header, found.key, found.value);
  }
  return header.events.length > 0 || marked || /^callgrind/.test(header.creator) ? header : undefined;
}

function numberOf(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : NONE;
}
