const NEWLINE = 10;
const BLANK = 32;
const HASH = 35;
const PERCENT = 37;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** A trace starts with the definition of an event; only comments and white space stand before it. */
export function isPaje(head: Uint8Array): boolean {
  let at = BYTE_ORDER_MARK.every((byte, index) => head[index] === byte) ? BYTE_ORDER_MARK.length : 0;
  for (; at < head.length; at++) {
    if (head[at] <= BLANK) continue;
    if (head[at] !== HASH) break;
    at = head.indexOf(NEWLINE, at);
    if (at < 0) return false;
  }
  if (head[at] !== PERCENT) return false;
  return /^%[ \t]*EventDef[ \t]+\S/.test(Buffer.from(head.subarray(at, at + 200)).toString("latin1"));
}
