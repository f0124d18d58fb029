import { NONE } from "../../../model/ids";
import { ByteStrings } from "../../byteStrings";

const BLANK = 32;
/** Every process spreads pairs in another way: nobody can prepare pairs that all fall on one slot. */
export const PAIR_SEED = (Math.random() * 0x7fffffff) | 0;

/** Spreads a hash so that its low bits depend on all of it. */
export function spread(hash: number): number {
  const h = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 1;
}

/** Names by their bytes; most names of a line are so short that their bytes as one number find them. */
export class TokenTable extends ByteStrings {
  /** Names of one and two bytes, by these bytes as one number. */
  readonly tiny = new Int32Array(1 << 16).fill(NONE);
  /** Names of three and four bytes, by these bytes as one number. */
  private shortKeys = new Int32Array(256);
  private shortTokens = new Int32Array(256).fill(NONE);
  private shorts = 0;

  /** @param mostBytes how long all names may be together @param overfull called where they are longer; throws */
  constructor(
    private readonly mostBytes: number,
    private readonly overfull: () => never,
  ) {
    super();
  }

  /** As {@link find}, for names of three or four bytes, none of them a blank. @param packed the first byte highest */
  findShort(packed: number): number {
    const { shortKeys, shortTokens } = this;
    const mask = shortKeys.length - 1;
    let slot = spread(packed) & mask;
    while (shortTokens[slot] !== NONE && shortKeys[slot] !== packed) slot = (slot + 1) & mask;
    return shortTokens[slot];
  }

  textOf(token: number): string {
    return token === NONE ? "" : Buffer.from(this.bytesOf(token)).toString();
  }

  protected override add(bytes: Uint8Array, start: number, end: number, hash: number): number {
    if (this.byteLength + end - start > this.mostBytes) this.overfull();
    const token = super.add(bytes, start, end, hash);
    if (end > start && end - start <= 4) this.addShort(bytes, start, end, token);
    return token;
  }

  private addShort(bytes: Uint8Array, start: number, end: number, token: number): void {
    let packed = 0;
    for (let at = start; at < end; at++) {
      if (bytes[at] <= BLANK) return;
      packed = (packed << 8) | bytes[at];
    }
    if (end - start <= 2) {
      this.tiny[packed] = token;
      return;
    }
    if (2 * ++this.shorts > this.shortKeys.length) this.rehashShort();
    this.putShort(packed, token);
  }

  private putShort(packed: number, token: number): void {
    const mask = this.shortKeys.length - 1;
    let slot = spread(packed) & mask;
    while (this.shortTokens[slot] !== NONE) slot = (slot + 1) & mask;
    this.shortKeys[slot] = packed;
    this.shortTokens[slot] = token;
  }

  private rehashShort(): void {
    const { shortKeys, shortTokens } = this;
    this.shortKeys = new Int32Array(2 * shortKeys.length);
    this.shortTokens = new Int32Array(2 * shortKeys.length).fill(NONE);
    shortTokens.forEach((token, slot) => token !== NONE && this.putShort(shortKeys[slot], token));
  }
}
