/** A call from one function to another. */
interface Call {
  readonly callee: number;
  readonly probability: number;
  /** What the call depends on, as `memory` says. */
  readonly guard: number;
  readonly wanted: boolean;
}

/** What a call depends on: on nothing; on its caller's caller; on whether some function is on the path. */
export const MEMORIES = ["none", "caller", "path"] as const;

/** What callgrind counts: costs and numbers of calls by pair of names, `a,b`. */
export interface Counted {
  readonly own: ReadonlyMap<string, number>;
  readonly calls: ReadonlyMap<string, { readonly cost: number; readonly count: number }>;
}

/** A recursive program that ran. Functions have numbers. */
export interface Ran {
  /** By the definition: a call inside one of the same function counts once. */
  readonly inclusive: ReadonlyMap<number, number>;
  readonly total: number;
  /** Levels of recursion apart (`3`, `3'2`), as callgrind counts unless told otherwise; and put together (`--separate-recs=1`). */
  readonly levels: Counted;
  readonly together: Counted;
}

const MOST_CALLS = 3000;

/** Runs a random program: some functions call one another, each time by chance. A call inside another one counts in both. */
export function runProgram(seed: number, memory: (typeof MEMORIES)[number]): Ran {
  const random = randomOf(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const functions = 5 + below(20);
  const deepest = 4 + below(36);
  const backwards = random() < 0.5 ? 0.15 : 0.5;
  const program = Array.from({ length: functions }, (_, caller) =>
    Array.from({ length: caller === 0 ? 60 : below(5) }, (): Call => ({
      callee: random() < backwards ? 1 + below(functions - 1) : Math.min(functions - 1, caller + 1 + below(5)),
      probability: random(),
      guard: below(functions),
      wanted: random() < 0.5,
    })),
  );
  const costs = program.map(() => Math.ceil(200 * random() ** 3));
  const levels = new Counter();
  const together = new Counter();
  const inclusive = new Map<number, number>();
  const onPath = new Int32Array(functions);
  let called = 0;
  const happens = ({ probability, guard, wanted }: Call, caller: number) => {
    if (memory === "caller" && (caller % 2 === 1) !== wanted && random() < 0.8) return false;
    if (memory === "path" && onPath[guard] > 0 !== wanted && random() < 0.9) return false;
    return random() < probability;
  };
  const nameOf = (one: number) => (onPath[one] > 0 ? `${one}'2` : `${one}`);
  const run = (one: number, caller: number, depth: number): number => {
    called++;
    const name = nameOf(one);
    const own = Math.ceil(costs[one] * (0.5 + random()));
    levels.spend(name, own);
    together.spend(`${one}`, own);
    onPath[one]++;
    let all = own;
    for (const call of program[one]) {
      if (called > MOST_CALLS || depth >= deepest || !happens(call, caller)) continue;
      const callee = nameOf(call.callee);
      const cost = run(call.callee, one, depth + 1);
      levels.call(name, callee, cost);
      together.call(`${one}`, `${call.callee}`, cost);
      all += cost;
    }
    if (--onPath[one] === 0) inclusive.set(one, (inclusive.get(one) ?? 0) + all);
    return all;
  };
  const total = run(0, 0, 0);
  return { inclusive, total, levels, together };
}

class Counter implements Counted {
  readonly own = new Map<string, number>();
  readonly calls = new Map<string, { cost: number; count: number }>();

  spend(name: string, cost: number): void {
    this.own.set(name, (this.own.get(name) ?? 0) + cost);
  }

  call(caller: string, callee: string, cost: number): void {
    const key = `${caller},${callee}`;
    const known = this.calls.get(key) ?? { cost: 0, count: 0 };
    this.calls.set(key, { cost: known.cost + cost, count: known.count + 1 });
  }
}

/** mulberry32: the same numbers, 0 to 1, for a seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
