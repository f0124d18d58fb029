/**
 * Random numbers that are the same each time: sfc32, "small fast counter", of Chris Doty-Humphrey's PractRand (2010), with a period of
 * at least 2^32 and on average 2^127.
 */
export class RandomNumbers {
  private a: number;
  private b = 0x9e3779b9;
  private c = 0x243f6a88;
  private counter = 1;

  constructor(seed: number) {
    this.a = seed | 0;
    // The first numbers still look like the seed.
    for (let at = 0; at < 15; at++) this.next();
  }

  /** 32 random bits, as an integer from 0. */
  private next(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** An integer from 0 to `count` - 1, each as often as the others. */
  below(count: number): number {
    // What is left above the last whole multiple would come up once more often.
    const end = 2 ** 32 - (2 ** 32 % count);
    for (;;) {
      const bits = this.next();
      if (bits < end) return bits % count;
    }
  }

  /**
   * Brings items from `from` on into random order (Fisher and Yates), any order as often as the others.
   *
   * @param chosen how many places from `from` on are filled; what stays behind them is in no random order
   */
  shuffle(items: Int32Array | Float64Array, from: number, chosen: number, end = items.length): void {
    for (let at = from; at < Math.min(from + chosen, end - 1); at++) {
      const other = at + this.below(end - at);
      [items[at], items[other]] = [items[other], items[at]];
    }
  }
}
