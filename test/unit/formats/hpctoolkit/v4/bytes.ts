/** Bytes that grow; all numbers little-endian. */
export class Bytes {
  private bytes = Buffer.alloc(1024);
  length = 0;

  space(count: number, align = 8): number {
    this.length = Math.ceil(this.length / align) * align;
    const at = this.length;
    this.length += count;
    if (this.length > this.bytes.length) {
      const wider = Buffer.alloc(Math.max(2 * this.bytes.length, this.length));
      this.bytes.copy(wider);
      this.bytes = wider;
    }
    return at;
  }
  u8(at: number, value: number) {
    this.bytes[at] = value;
  }
  u16(at: number, value: number) {
    this.bytes.writeUInt16LE(value, at);
  }
  u32(at: number, value: number) {
    this.bytes.writeUInt32LE(value, at);
  }
  u64(at: number, value: number | bigint) {
    this.bytes.writeBigUInt64LE(BigInt(value), at);
  }
  f64(at: number, value: number) {
    this.bytes.writeDoubleLE(value, at);
  }
  text(text: string): number {
    const encoded = Buffer.from(`${text}\0`);
    const at = this.space(encoded.length, 1);
    encoded.copy(this.bytes, at);
    return at;
  }
  /** Header with places for sections; they are set with {@link section}. */
  header(kind: string, sections: number) {
    const at = this.space(16 + 16 * sections);
    Buffer.from(`HPCTOOLKIT${kind}\x04\x00`, "latin1").copy(this.bytes, at);
  }
  section(index: number, position: number, size: number) {
    this.u64(16 + 16 * index, size);
    this.u64(24 + 16 * index, position);
  }
  end(footer: string): Buffer {
    const at = this.space(8);
    Buffer.from(footer).copy(this.bytes, at);
    return this.bytes.subarray(0, this.length);
  }
}
