import { widened } from "../../../model/columns";
import { NONE } from "../../../model/ids";
import { spread } from "../scan/tokens";

const MOST_OPEN = 1 << 22;
const MOST_KEY_BYTES = 256 << 20;

/**
 * Links with one known side, by container, type and key. Links of equal key are matched in the order of their arrival. Matched links are reused,
 * so the table is as large as the number of links that are open at once.
 */
export class OpenLinks {
  count = 0;
  private free = NONE;
  private heads = new Int32Array(1024).fill(NONE);
  /** Next link in the same bucket, or the next free one for a free link. */
  private next = new Int32Array(256);
  /** Next link of equal key, and (in the first one) the last. Only the first one is in a bucket. */
  private nextEqual = new Int32Array(256);
  private lastEqual = new Int32Array(256);
  private hash = new Int32Array(256);
  private keyStart = new Int32Array(256);
  private keyLength = new Int32Array(256);
  /** One more than the largest number that was ever used. */
  private used = 0;
  private pool = new Uint8Array(1 << 14);
  private poolUsed = 0;
  private poolLive = 0;

  container = new Int32Array(256);
  type = new Int32Array(256);
  /** 1 if the start is known, 0 if the end is. */
  isStart = new Uint8Array(256);
  end = new Int32Array(256);
  value = new Int32Array(256);
  seconds = new Float64Array(256);
  bytes = new Float64Array(256);
  tag = new Int32Array(256);

  /** Whether the limit of open links is reached. */
  get full(): boolean {
    return this.count >= MOST_OPEN || this.poolLive >= MOST_KEY_BYTES;
  }

  /** @returns the oldest open link with this key, NONE if there is none */
  find(container: number, type: number, key: Uint8Array, start: number, end: number, hash: number): number {
    const mixed = mix(hash, container, type);
    for (let link = this.heads[mixed & (this.heads.length - 1)]; link !== NONE; link = this.next[link])
      if (this.hash[link] === mixed && this.container[link] === container && this.type[link] === type)
        if (this.hasKey(link, key, start, end)) return link;
    return NONE;
  }

  /** Opens a link, whose columns the caller fills. @param equal result of {@link find} */
  open(
    container: number,
    type: number,
    key: Uint8Array,
    start: number,
    end: number,
    hash: number,
    equal: number,
  ): number {
    const link = this.take();
    this.count++;
    this.container[link] = container;
    this.type[link] = type;
    this.hash[link] = mix(hash, container, type);
    this.keep(link, key, start, end);
    this.nextEqual[link] = NONE;
    this.lastEqual[link] = link;
    if (equal === NONE) {
      if (2 * this.count > this.heads.length) this.rehash();
      const bucket = this.hash[link] & (this.heads.length - 1);
      this.next[link] = this.heads[bucket];
      this.heads[bucket] = link;
    } else {
      this.nextEqual[this.lastEqual[equal]] = link;
      this.lastEqual[equal] = link;
    }
    return link;
  }

  /** Closes a link that {@link find} returned. */
  close(link: number): void {
    const bucket = this.hash[link] & (this.heads.length - 1);
    const successor = this.nextEqual[link];
    let replacement = this.next[link];
    if (successor !== NONE) {
      this.next[successor] = replacement;
      this.lastEqual[successor] = this.lastEqual[link];
      replacement = successor;
    }
    if (this.heads[bucket] === link) this.heads[bucket] = replacement;
    else {
      let before = this.heads[bucket];
      while (this.next[before] !== link) before = this.next[before];
      this.next[before] = replacement;
    }
    this.poolLive -= this.keyLength[link];
    this.keyLength[link] = -1;
    this.next[link] = this.free;
    this.free = link;
    this.count--;
  }

  /** All open links, in the order of their numbers. */
  *all(): Generator<number> {
    for (let link = 0; link < this.used; link++) if (this.keyLength[link] >= 0) yield link;
  }

  keyOf(link: number): string {
    return Buffer.from(this.pool.subarray(this.keyStart[link], this.keyStart[link] + this.keyLength[link])).toString();
  }

  private hasKey(link: number, key: Uint8Array, start: number, end: number): boolean {
    const length = this.keyLength[link];
    if (length !== end - start) return false;
    const own = this.keyStart[link];
    for (let at = 0; at < length; at++) if (this.pool[own + at] !== key[start + at]) return false;
    return true;
  }

  private take(): number {
    if (this.free !== NONE) {
      const link = this.free;
      this.free = this.next[link];
      return link;
    }
    if (this.used === this.next.length) this.grow();
    return this.used++;
  }

  private grow(): void {
    for (const column of ["next", "nextEqual", "lastEqual", "hash", "keyStart", "keyLength"] as const)
      this[column] = widened(this[column]);
    for (const column of ["container", "type", "end", "value", "tag"] as const) this[column] = widened(this[column]);
    this.seconds = widened(this.seconds);
    this.bytes = widened(this.bytes);
    this.isStart = widened(this.isStart);
  }

  private keep(link: number, key: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (this.poolUsed + length > this.pool.length) this.compact(length);
    const { pool, poolUsed } = this;
    // Keys are short: a view of the bytes would take more time than the copy.
    for (let at = 0; at < length; at++) pool[poolUsed + at] = key[start + at];
    this.keyStart[link] = this.poolUsed;
    this.keyLength[link] = length;
    this.poolUsed += length;
    this.poolLive += length;
  }

  /** Reuses the room of closed links' keys. If most keys are of open links, the pool grows. */
  private compact(length: number): void {
    const wanted = this.poolLive + length;
    const pool = new Uint8Array(
      2 * wanted > this.pool.length ? Math.max(2 * this.pool.length, 2 * wanted) : this.pool.length,
    );
    let used = 0;
    for (let link = 0; link < this.used; link++) {
      const own = this.keyLength[link];
      if (own < 0) continue;
      pool.set(this.pool.subarray(this.keyStart[link], this.keyStart[link] + own), used);
      this.keyStart[link] = used;
      used += own;
    }
    this.pool = pool;
    this.poolUsed = used;
  }

  private rehash(): void {
    const links: number[] = [];
    for (const head of this.heads) for (let link = head; link !== NONE; link = this.next[link]) links.push(link);
    this.heads = new Int32Array(2 * this.heads.length).fill(NONE);
    for (const link of links) {
      const bucket = this.hash[link] & (this.heads.length - 1);
      this.next[link] = this.heads[bucket];
      this.heads[bucket] = link;
    }
  }
}

function mix(hash: number, container: number, type: number): number {
  return spread(hash ^ Math.imul(container + 1, 0x9e3779b1) ^ Math.imul(type + 1, 0x85ebca6b));
}
