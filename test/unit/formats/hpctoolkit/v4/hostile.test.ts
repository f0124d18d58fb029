import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memorySource } from "../../../../../src/formats/byteSource";
import { ContextDb } from "./contextDb";
import { hpctoolkitV4 } from "../../../../../src/formats/hpctoolkit/v4/format";
import { readMetaDb } from "../../../../../src/formats/hpctoolkit/v4/scan/metaDb";
import { ProfileDb } from "../../../../../src/formats/hpctoolkit/v4/scan/profileDb";
import { TraceDb } from "../../../../../src/formats/hpctoolkit/v4/scan/traceDb";
import { inclusive } from "../../../../../src/model/contextTree";
import type { DataSet } from "../../../../../src/model/dataSet";
import { FormatError } from "../../../../../src/model/errors";
import { quietTask } from "../../../../../src/model/task";
import { casesOf } from "../../../randomCases";
import { cellsOf, pathsOf } from "../../plainDataSet";
import { type Fixture, plain, readFixture } from "../../formatLaws";
import { main, small } from "./programs";
import { metaDb } from "./metaWriter";
import { contextDb, profileDb, traceDb } from "./valueWriters";
import { database } from "./writer";
import type { WrittenContext, WrittenProfile } from "./written";

async function read(fixture: Fixture): Promise<DataSet> {
  return (await readFixture(hpctoolkitV4, fixture))[0];
}

const meta = (bytes: Uint8Array) => readMetaDb(memorySource(bytes, "meta.db"), quietTask);

/** One chain of functions below the entry point; innermost last. */
function chain(depth: number): readonly WrittenContext[] {
  let inner: WrittenContext[] = [];
  for (let id = depth + 1; id >= 2; id--) inner = [{ id, function: main, children: inner }];
  return inner;
}

/** Where a context's header stands: that with this id. */
function contextAt(bytes: Buffer, id: number): number {
  for (let at = 0; at + 32 <= bytes.length; at += 8)
    if (bytes.readUInt32LE(at + 16) === id && bytes[at + 20] === 1 && bytes[at + 23] === 1) return at;
  throw new Error(`no context ${id}`);
}

describe("a hostile meta.db", () => {
  it("may be 100,000 calls deep", async () => {
    const depth = 100_000;
    const profiles: WrittenProfile[] = [
      {
        ids: [[2, 0]],
        values: new Map([
          [depth + 1, [[3, 4]]],
          [2, [[3, 5]]],
        ]),
      },
    ];
    const dataSet = await read(
      database({ entries: [{ id: 1, name: "main thread", children: chain(depth) }], profiles }),
    );
    expect(dataSet.tree.size).toBe(depth + 1);
    expect([...cellsOf(dataSet, 0)].map(([context, , value]) => [context, value])).toEqual([
      [1, 1],
      [depth, 4],
    ]);
  });

  it("does not loop where children are their own ancestors, or those of others", async () => {
    const children = [
      {
        id: 2,
        function: main,
        children: chain(5).map((one) => ({ ...one, id: 12, children: [{ id: 13, function: main }] })),
      },
      { id: 3, function: main, children: [{ id: 14, function: main }] },
    ];
    for (const [from, to] of [
      [13, 12],
      [12, 1],
      [3, 2],
      [14, 3],
    ]) {
      const bytes = metaDb({ entries: [{ id: 1, name: "x", children }], profiles: [] });
      const above = to === 1 ? bytes.readUInt32LE(Number(bytes.readBigUInt64LE(24 + 16 * 3))) : contextAt(bytes, to);
      bytes.copy(bytes, contextAt(bytes, from), above, above + 16);
      await expect(meta(bytes), `${from} ${to}`).rejects.toThrow(/lists of children that overlap/);
    }
  });

  it("says where counts, sizes and offsets lead beyond the end", async () => {
    const intact = metaDb(small());
    const sections = Array.from({ length: 8 }, (_, index) => Number(intact.readBigUInt64LE(24 + 16 * index)));
    for (const at of [...sections, contextAt(intact, 2) + 8, contextAt(intact, 2)])
      for (const value of [1n << 40n, (1n << 64n) - 1n, BigInt(intact.length)]) {
        const bytes = Buffer.from(intact);
        bytes.writeBigUInt64LE(value, at);
        const result = await meta(bytes).catch((problem: unknown) => problem);
        if (at !== sections[4]) expect(result, `${value} at ${at}`).toBeInstanceOf(FormatError);
      }
  });

  it("cannot fill the memory with texts that overlap", async () => {
    const names = Array.from({ length: 3000 }, (_, at) => ({ ...main, name: `f${at}` }));
    const children = names.map((fn, at) => ({ id: at + 2, function: fn }));
    const long = "x".repeat(200_000);
    const bytes = metaDb({ title: long, entries: [{ id: 1, name: "x", children }], profiles: [] });
    const text = bytes.indexOf(long.slice(0, 100));
    const functions = Number(bytes.readBigUInt64LE(24 + 16 * 7));
    const rows = Number(bytes.readBigUInt64LE(functions));
    names.forEach((_, at) => bytes.writeBigUInt64LE(BigInt(text + at), rows + 40 * at));
    await expect(meta(bytes)).rejects.toThrow(/texts that overlap/);
  });

  it("says when a context has a number twice", async () => {
    const bytes = metaDb({ entries: [{ id: 1, name: "x", children: chain(8) }], profiles: [] });
    bytes.writeUInt32LE(4, contextAt(bytes, 5) + 16);
    await expect(read({ "meta.db": bytes })).rejects.toThrow(/two contexts with the id 4/);
  });

  it("may use numbers of kinds that nobody knows yet", async () => {
    const children: WrittenContext[] = [
      { id: 2, function: main, lexicalType: 9, relation: 7 },
      { id: 3, file: "/a.c", line: 4, lexicalType: 9 },
      { id: 4, module: "/lib/m.so", offset: (1n << 64n) - 1n, lexicalType: 9 },
      { id: 5 },
      { id: 6, file: "/a.c", line: 0xffffffff },
    ];
    const profiles: WrittenProfile[] = [
      {
        ids: [
          [200, 0],
          [2, 4],
          [7, 1],
        ],
        values: new Map([
          [
            2,
            [
              [3, 1],
              [77, 5],
            ],
          ],
        ]),
      },
    ];
    const dataSet = await read(database({ entries: [{ id: 1, name: "x", children }], profiles }));
    const frames = Array.from(dataSet.tree.frame, (frame) => dataSet.frames.get(frame as never));
    expect(frames.map(({ kind, name, line }) => `${kind} ${name} ${line ?? 0}`).sort()).toEqual([
      "function <unknown procedure> 0",
      "function main 10",
      "function x 0",
      "instruction m.so+0xffffffffffffffff 0",
      "line /a.c:0 0",
      "line /a.c:4 4",
    ]);
    expect(dataSet.locations).toEqual([expect.objectContaining({ rank: 4, thread: -1 })]);
    expect([...cellsOf(dataSet, 0)].map(([, , value]) => value)).toEqual([1]);
  });

  it("may have any names", async () => {
    const names = ["__proto__", "constructor", "<img src=x onerror=alert(1)>", "x".repeat(100_000), "toString"];
    const children = names.map((name, at) => ({
      id: at + 2,
      function: { name, file: `/${name.slice(0, 20)}`, line: 1 },
    }));
    const values = new Map(names.map((_, at) => [at + 2, [[3, at + 1]] as const]));
    const dataSet = await read(
      database({
        metrics: ["__proto__"],
        entries: [{ id: 1, name: "constructor", children }],
        profiles: [{ ids: [], values }],
      }),
    );
    expect(dataSet.metrics[0].name).toBe("__proto__");
    expect(new Set(pathsOf(dataSet).map((path) => path[path.length - 1]))).toEqual(new Set(names));
  });
});

describe("hostile values and traces", () => {
  const profile = (bytes: Uint8Array) => ProfileDb.open(memorySource(bytes, "profile.db"), quietTask);

  async function drained(bytes: Uint8Array): Promise<number> {
    const db = await profile(bytes);
    let values = 0;
    for (const one of db.profiles) for await (const { count } of db.read(one, quietTask)) values += count;
    return values;
  }

  it("says where values would lie beyond the end, before it makes room for them", async () => {
    const intact = profileDb(small().profiles);
    const infos = Number(intact.readBigUInt64LE(Number(intact.readBigUInt64LE(24))));
    for (const field of [0, 8, 24, 32])
      for (const value of [1n << 40n, (1n << 64n) - 1n, BigInt(intact.length - 1)]) {
        const bytes = Buffer.from(intact);
        bytes.writeBigUInt64LE(value, infos + 48 + field);
        await expect(drained(bytes), `${field} ${value}`).rejects.toBeInstanceOf(FormatError);
      }
  });

  it("cannot claim the same values in many profiles", async () => {
    const values = new Map(Array.from({ length: 500 }, (_, at) => [at + 1, [[3, 1]] as const]));
    const bytes = profileDb([
      { ids: [], values },
      ...Array.from({ length: 200 }, () => ({ ids: [], values: new Map() })),
    ]);
    const infos = Number(bytes.readBigUInt64LE(Number(bytes.readBigUInt64LE(24))));
    for (let at = 1; at <= 200; at++) bytes.copy(bytes, infos + 48 * at, infos, infos + 32);
    await expect(profile(bytes)).rejects.toThrow(/profiles that share bytes/);
  });

  it("says where contexts of a profile are out of order, or do not cover its values", async () => {
    const values = new Map([
      [1, [[3, 1]] as const],
      [
        5,
        [
          [3, 2],
          [2, 1],
        ] as const,
      ],
    ]);
    const intact = profileDb([{ ids: [], values }]);
    expect(await drained(intact)).toBe(3);
    const infos = Number(intact.readBigUInt64LE(Number(intact.readBigUInt64LE(24))));
    const table = Number(intact.readBigUInt64LE(infos + 24));
    const damaged = (change: (bytes: Buffer) => void) => {
      const bytes = Buffer.from(intact);
      change(bytes);
      return drained(bytes);
    };
    await expect(damaged((bytes) => bytes.writeUInt32LE(0, table + 12))).rejects.toThrow(/context 0 after 1/);
    for (const start of [1n, 4n, 1n << 60n])
      await expect(damaged((bytes) => bytes.writeBigUInt64LE(start, table + 4))).rejects.toThrow(/do not follow/);
    await expect(damaged((bytes) => bytes.writeUInt32LE(0, infos + 16))).rejects.toThrow(/do not follow/);
  });

  it("checks cct.db in the same way", async () => {
    const intact = contextDb(small().profiles);
    const infos = Number(intact.readBigUInt64LE(Number(intact.readBigUInt64LE(24))));
    for (const field of [0, 8, 24]) {
      const bytes = Buffer.from(intact);
      bytes.writeBigUInt64LE(1n << 50n, infos + 32 * 4 + field);
      const db = await ContextDb.open(memorySource(bytes, "cct.db"));
      await expect(db.read(4)).rejects.toBeInstanceOf(FormatError);
    }
    const db = await ContextDb.open(memorySource(intact, "cct.db"));
    expect(await db.read(9)).toEqual({
      metric: Uint16Array.of(1, 1, 2, 2, 3, 3, 3),
      profile: Uint32Array.of(1, 2, 1, 2, 1, 2, 3),
      value: Float64Array.of(8, 4, 8, 4, 9, 4.5, 7),
    });
    await expect(db.read(-1)).rejects.toBeInstanceOf(RangeError);
    await expect(db.read(1e9)).rejects.toBeInstanceOf(RangeError);
  });

  it("refuses traces whose time goes back, overlaps or is half a sample", async () => {
    const [line] = small().traces ?? [];
    const backwards = traceDb([{ ...line, samples: [...line.samples].reverse() }]);
    const db = await TraceDb.open(memorySource(backwards, "trace.db"), quietTask);
    await expect(async () => {
      for await (const samples of db.read(db.lines[0], quietTask)) expect(samples.count).toBeGreaterThan(0);
    }).rejects.toThrow(/earlier than the one before/);
    const intact = traceDb(small().traces ?? []);
    const lines = Number(intact.readBigUInt64LE(Number(intact.readBigUInt64LE(24))));
    const half = Buffer.from(intact);
    half.writeBigUInt64LE(half.readBigUInt64LE(lines + 16) + 1n, lines + 16);
    await expect(TraceDb.open(memorySource(half, "trace.db"), quietTask)).rejects.toThrow(/whole number of samples/);
    const shared = Buffer.from(intact);
    shared.copy(shared, lines + 32, lines + 8, lines + 24);
    shared.copy(shared, lines + 56, lines + 8, lines + 24);
    const open = TraceDb.open(memorySource(shared, "trace.db"), quietTask);
    expect((await open.catch(() => undefined))?.lines.length ?? 0).toBeLessThanOrEqual(3);
  });

  it("keeps nan and inf, and leaves them out of sums", async () => {
    const written = small();
    const values = new Map([
      [2, [[3, 5]] as const],
      [5, [[3, Number.NaN]] as const],
      [4, [[3, 2]] as const],
      [6, [[3, Infinity]] as const],
    ]);
    const dataSet = await read(database({ ...written, profiles: [{ ids: [[2, 0]], values }], traces: [] }));
    expect([...cellsOf(dataSet, 0)].map(([, , value]) => value).sort()).toEqual([2, 3, Infinity, Number.NaN].sort());
    expect(dataSet.warnings[0].message).toBe("CPUTIME has 2 values that are nan or inf: they are left out of sums");
  });
});

describe("any database", () => {
  /** A random tree: for each context after the first its parent; names repeat, so that some siblings are one context. */
  const parents = fc.array(fc.nat(1e6), { minLength: 1, maxLength: 40 });
  const cells = fc.array(fc.tuple(fc.nat(60), fc.integer({ min: -3, max: 1000 })), { maxLength: 40 });

  it("gives back the stored inclusive values, whatever the numbers of its contexts and the order of its profiles", async () => {
    await fc.assert(
      fc.asyncProperty(
        parents,
        fc.array(cells, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (above, all, spread) => {
          // With many contexts beside them, the few values are sorted in another way.
          const idOf = (at: number) => (spread ? 7 * (70 - at) + 3 : at + 2);
          const nodes = above.map((_, at): { context: WrittenContext & { children: WrittenContext[] } } => ({
            context: { id: idOf(at), function: { ...main, name: `f${at}` }, children: [] },
          }));
          above.forEach((parent, at) => {
            if (at > 0) nodes[parent % at].context.children.push(nodes[at].context);
          });
          const filler = Array.from({ length: spread ? 1500 : 0 }, (_, at) => ({
            id: 5000 + at,
            function: { ...main, name: `g${at}` },
          }));
          const profiles = all.map((some, rank): WrittenProfile => {
            const values = new Map(some.map(([at, value]) => [idOf(at), [[3, value]] as const]));
            return { ids: [[2, rank]], values };
          });
          const written = { entries: [{ id: 1, name: "x", children: [nodes[0].context, ...filler] }], profiles };
          const dataSet = await read(database(written));
          for (const [rank, { values }] of profiles.entries()) {
            const exclusive = new Float64Array(dataSet.tree.size);
            if (dataSet.values.length > 0)
              for (const [context, at, value] of cellsOf(dataSet, 0))
                if (dataSet.locations[at].rank === rank) exclusive[context] = value;
            const sums = inclusive(dataSet.tree, exclusive);
            for (let context = 0; context < dataSet.tree.size; context++) {
              const at = Number(dataSet.frames.nameOf(dataSet.tree.frame[context]).slice(1));
              const stored = dataSet.frames.nameOf(dataSet.tree.frame[context]).startsWith("f")
                ? values.get(idOf(at))
                : undefined;
              if (stored !== undefined) expect(sums[context]).toBe(stored[0][1]);
            }
          }
          const reversed = await read(database({ ...written, profiles: [...profiles].reverse() }));
          expect(await plain([reversed])).toEqual(await plain([dataSet]));
        },
      ),
      { numRuns: casesOf(200) },
    );
  });
});
