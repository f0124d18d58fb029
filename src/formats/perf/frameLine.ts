import { addressOfBits, isAddressName, isPlaceholderName } from "../../model/frames";

/** One frame of a call chain: `	    135b main+0xdb (/tmp/solve)`. */
export interface FrameLine {
  readonly address: number;
  /** Without the offset. `[unknown]` for placeholders and bare addresses, whichever tool wrote them. */
  readonly name: string;
  /** Where the function is defined: only names of Python's functions say it. */
  readonly file?: string;
  /** Undefined where it is not known, or not printed: of an inlined function it is that of the frame around it. */
  readonly module: string | undefined;
  readonly isInlined: boolean;
}

/** Where a frame stands in the source: the line below it, asked for with `-F +srcline`. */
export interface PlaceLine {
  /** Undefined where the line is not known. */
  readonly place: { readonly file: string; readonly line: number } | undefined;
  readonly isInlined: boolean;
}

export const UNKNOWN = "[unknown]";
const INLINED = " (inlined)";
const PYTHON = "py::";
const LAST_LINE = 0x7fffffff;
/** Code of a file without a symbol, as simpleperf writes it: `base.odex[+1a2b]`. */
const OFFSET_IN_FILE = /\[\+[0-9a-f]{1,16}\]$/;

/** @param text of the line, without space around it @returns undefined for any other line */
export function frameLineOf(text: string): FrameLine | undefined {
  const address = /^[0-9a-f]{1,16}(?=[ \t]|$)/.exec(text.slice(0, 17));
  if (address === null) return undefined;
  const whole = text.slice(address[0].length).trim();
  const isInlined = whole.endsWith(INLINED);
  const rest = isInlined ? whole.slice(0, -INLINED.length) : whole;
  const open = isInlined ? -1 : openingOf(rest);
  const module = open < 0 ? UNKNOWN : rest.slice(open + 1, -1);
  const name = withoutOffset(open < 0 ? rest : rest.slice(0, open).trimEnd());
  return {
    address: addressOfBits(BigInt(`0x${address[0]}`)),
    ...namedPlace(hasNoName(name) ? UNKNOWN : name),
    module: module === UNKNOWN ? undefined : module,
    isInlined,
  };
}

function hasNoName(name: string): boolean {
  return isPlaceholderName(name) || isAddressName(name) || OFFSET_IN_FILE.test(name);
}

/** Whether a line of a text is a frame: without space before it, it must have a load module. */
export function isFrameText(line: string): boolean {
  const text = line.trim();
  if (!/^[0-9a-f]{1,16}(?=[ \t]|$)/.test(text.slice(0, 17))) return false;
  return /^\s/.test(line) || openingOf(text) >= 0;
}

/** Python's functions carry their files (`python -X perf`): `py::Grid.solve:/home/user/grid.py`. */
function namedPlace(name: string): Pick<FrameLine, "name" | "file"> {
  const colon = name.lastIndexOf(":");
  const file = name.slice(colon + 1);
  const isPython = name.startsWith(PYTHON) && colon > PYTHON.length && file !== "" && !file.startsWith("<");
  return isPython ? { name: name.slice(PYTHON.length, colon), file } : { name };
}

/**
 * Where the load module's parenthesis opens. Names and modules may have parentheses themselves (`operator()(int)`,
 * `/tmp/solve (deleted)`): it is the one behind the offset, else the one that belongs to the last.
 *
 * @returns -1 where there is no module
 */
function openingOf(text: string): number {
  if (!text.endsWith(")")) return -1;
  const offset = /\+0x[0-9a-f]{1,16} (?=\()/.exec(text);
  if (offset) return offset.index + offset[0].length;
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === ")") depth++;
    else if (text[at] === "(" && --depth === 0) return at === 0 || text[at - 1] === " " ? at : -1;
  }
  const last = text.lastIndexOf(" (");
  return last < 0 ? -1 : last + 1;
}

function withoutOffset(name: string): string {
  const at = name.lastIndexOf("+0x");
  return at > 0 && /^[0-9a-f]{1,16}$/.test(name.slice(at + 3, at + 20)) ? name.slice(0, at) : name;
}

/**
 * `/home/user/solve.c:12`, maybe with `(inlined)` behind it, which then says it of the frame. Where no line is known there are
 * `??:0`, or module and address.
 *
 * @param text of the line, without space around it
 */
export function placeLineOf(text: string): PlaceLine {
  const isInlined = text.endsWith(INLINED);
  const own = isInlined ? text.slice(0, -INLINED.length) : text;
  const discriminator = own.lastIndexOf(" (discriminator ");
  const place = discriminator < 0 ? own : own.slice(0, discriminator);
  const colon = place.lastIndexOf(":");
  const [file, digits] = [place.slice(0, colon), place.slice(colon + 1)];
  const line = colon > 0 && /^\d{1,10}$/.test(digits.slice(0, 11)) ? Number(digits) : 0;
  const isKnown = line > 0 && line <= LAST_LINE && file !== "??";
  return { place: isKnown ? { file, line } : undefined, isInlined };
}
