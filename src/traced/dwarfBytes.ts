/**
 * Reads what DWARF is made of, lowest byte first. Behind the end, and after anything that can't be, all values are 0 and `isGood` is false:
 * who reads a program of millions of instructions asks once, at its end.
 */
export class DwarfBytes {
  isGood = true;

  /** Bytes `at` to `end` of `bytes`. */
  constructor(
    private readonly bytes: Buffer,
    private at = 0,
    private readonly end = bytes.length,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.end || !this.isGood;
  }

  byte(): number {
    if (this.at < this.end) return this.bytes[this.at++];
    this.isGood = false;
    return 0;
  }

  /** An unsigned number of up to 8 bytes; beyond 2^53 it is not exact, and larger than that. */
  number(bytes: number): number {
    let value = 0;
    for (let scale = 1; bytes > 0; bytes--, scale *= 256) value += this.byte() * scale;
    return this.isGood ? value : 0;
  }

  /** A signed byte. */
  signedByte(): number {
    return (this.byte() << 24) >> 24;
  }

  /** LEB128; beyond 2^53 it is not exact, and larger than that. */
  unsigned(): number {
    return this.leb128().value;
  }

  /** LEB128 */
  signed(): number {
    const { value, scale } = this.leb128();
    return value >= scale / 2 ? value - scale : value;
  }

  /** A text up to its zero. */
  text(): string {
    const zero = this.bytes.indexOf(0, this.at);
    const text = zero >= 0 && zero < this.end && this.isGood ? this.bytes.toString("utf8", this.at, zero) : "";
    this.skip(zero < 0 ? Infinity : zero + 1 - this.at);
    return text;
  }

  skip(bytes: number): void {
    if (bytes <= this.end - this.at) this.at += bytes;
    else {
      this.isGood = false;
      this.at = this.end;
    }
  }

  /** What comes next, as a part of its own. */
  part(bytes: number): DwarfBytes {
    const from = this.at;
    this.skip(bytes);
    return new DwarfBytes(this.bytes, from, this.at);
  }

  private leb128(): { value: number; scale: number } {
    let [value, scale] = [0, 1];
    for (let left = MOST_LEB128_BYTES; left > 0; left--) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (byte < 0x80) return { value, scale };
    }
    this.isGood = false;
    return { value: 0, scale: 1 };
  }
}

/** Of 64 bits. */
const MOST_LEB128_BYTES = 10;
