import { describe, expect, it } from "vitest";
import { paje } from "../../../../src/formats/paje/format";
import { Entities } from "../../../../src/formats/paje/decode/entities";
import { OpenLinks } from "../../../../src/formats/paje/decode/openLinks";
import { TokenTable } from "../../../../src/formats/paje/scan/tokens";
import { NONE } from "../../../../src/model/ids";
import { FormatError } from "../../../../src/model/errors";
import { readFixture } from "../formatLaws";
import { factRows } from "./factRows";
import { headOf } from "./writer";
import { PairTable } from "../../../../src/model/pairTable";
import { hashOf } from "../../../../src/formats/byteStrings";

const read = async (body: string) => (await readFixture(paje, { "a.trace": headOf() + body }))[0];
const machine = `0 M 0 Machine\n2 S M State\n3 E M Event\n4 L 0 M M Link\n6 0 m M 0 machine\n`;
const names = [
  "__proto__",
  "constructor",
  "toString",
  "<img src=x onerror=alert(1)>",
  "x".repeat(100_000),
  "ö ü 😀",
  " ",
];

describe("hostile traces", () => {
  it.each(names)("%# a name like any other", async (name) => {
    const { containers, states, events, links, warnings } = await factRows({
      text: `${headOf()}0 "${name}" 0 "${name}"
2 "${name}2" "${name}" "${name}"
3 "${name}3" "${name}" "${name}"
4 "${name}4" 0 "${name}" "${name}" "${name}"
6 0 "${name}" "${name}" 0 "${name}"
12 1 "${name}2" "${name}" "${name}"
17 1 "${name}3" "${name}" "${name}"
15 1 "${name}4" 0 "${name}" "${name}" "${name}"
16 2 "${name}4" 0 "${name}" "${name}" "${name}"
7 3 "${name}" "${name}"
`,
    });
    expect(warnings).toEqual([]);
    expect(containers[0]).toMatchObject({ name, type: name });
    expect(states).toEqual([{ at: name, type: name, start: 1, end: 3, level: 0, value: name }]);
    expect(events).toMatchObject([{ value: name }]);
    expect(links).toMatchObject([{ from: name, to: name, key: name, value: name }]);
  });

  it("containers in containers, 100,000 deep", async () => {
    const depth = 100_000;
    const lines = ["0 T 0 T", "2 S T S", "6 0 c0 T 0 c0"];
    for (let at = 1; at < depth; at++) lines.push(`6 0 c${at} T c${at - 1} c${at}`);
    lines.push(`12 1 S c${depth - 1} a`, "7 2 T c0\n");
    const { topology, trace, warnings } = await read(lines.join("\n"));
    expect(topology?.resources).toHaveLength(depth);
    expect(topology?.resources.at(-1)).toMatchObject({ parent: depth - 2, endSeconds: 2 });
    expect(trace?.lanes.map(({ name }) => name)).toEqual([`c${depth - 2} / c${depth - 1}: S`]);
    expect(warnings.filter(({ message }) => /no end/.test(message))).toEqual([]);
  }, 30_000);

  it("states in states, 100,000 deep, and as many ends", async () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => `12 ${at} S m v${at % 7}`);
    const ends = Array.from({ length: 100_001 }, (_, at) => `13 ${100_000 + at} S m`);
    const { trace, warnings } = await read(`${machine}${lines.join("\n")}\n${ends.join("\n")}\n`);
    expect(trace?.events).toBe(100_000);
    expect(trace?.lanes[0].coveredSeconds).toBe(199_999);
    expect(warnings.map(({ message }) => message)).toContain("left out: the end of a state where none has begun");
  }, 30_000);

  it("links of one key, and links that are never ended, take no longer than others", async () => {
    const many = 200_000;
    const links = (key: (at: number) => number, first: number) =>
      Array.from({ length: many }, (_, at) => `${first} 1 L 0 v m k${key(at)}\n`).join("");
    // Where each looked at all the others, these would take minutes.
    const one = await read(machine + links(() => 1, 15) + links(() => 1, 16));
    expect(one.trace?.messages.count).toBe(many);
    const open = await read(machine + links((at) => at, 15));
    expect(open.trace?.messages.count).toBe(many);
    expect(open.warnings.map(({ message }) => message).join()).toContain(`${many} links have one side only`);
  }, 60_000);

  it("a line without an end is an error before it fills the memory", async () => {
    const endless = Buffer.concat([Buffer.from(headOf() + machine), Buffer.alloc(20 << 20, 120)]);
    await expect(readFixture(paje, { "a.trace": endless }, { pieceBytes: 1 << 20 })).rejects.toThrow(
      /found a line of more than 16777216 bytes; expected one event per line/,
    );
  });

  it("more types than any tool defines is an error", async () => {
    const lines = Array.from({ length: 1 << 16 }, (_, at) => `2 s${at} M s`).join("\n");
    await expect(read(machine + lines)).rejects.toThrow(/found more than 65536 types/);
  });

  it("more containers, values or bytes of names than a trace has: an error, or counted", async () => {
    const most = { types: 10, containers: 10, nameBytes: 100, values: 10 };
    const limited = new Entities("a.trace", most);
    const name = limited.tokens.internText("name");
    for (let at = 1; at < 10; at++) limited.addContainer(name, 0, 0, 0, name);
    expect(() => limited.addContainer(name, 0, 0, 0, name)).toThrow(/a\.trace: found more than 10 containers/);
    expect(() => limited.tokens.internText("x".repeat(100))).toThrow(/found names of more than 100 bytes/);
    const values = Array.from({ length: 15 }, (_, at) => limited.valueOf(0, limited.tokens.internText(`${at}`)));
    expect(values).toEqual([...Array(10).keys(), ...Array(5).fill(NONE)]);
    expect(limited.valuesLeftOut).toBe(5);
    expect(limited.valueOf(0, limited.tokens.internText("3"))).toBe(3);
  });

  it("numbers at and beyond what a double holds", async () => {
    const { events, warnings } = await factRows({
      text: `${headOf()}${machine}17 9007199254740993 E m a
17 1e308 E m b
17 1e309 E m c
17 -1e-320 E m d
17 0.1000000000000000055511151231257827 E m e
17 ${"9".repeat(500)} E m f
17 1e E m g
17 . E m h
`,
    });
    expect(events.map(({ time }) => time)).toEqual([9007199254740992, 1e308, -1e-320, 0.1]);
    expect(warnings.filter(({ message }) => /time is no number/.test(message))).toHaveLength(3);
  });

  it("bytes that are no text, and no lines, open or say what is wrong", async () => {
    for (let seed = 1; seed <= 30; seed++) {
      let state = seed;
      const noise = Uint8Array.from({ length: 3000 }, () => (state = (state * 48271) % 2147483647) & 255);
      const text = Buffer.concat([Buffer.from(headOf() + machine), noise]);
      const result = await readFixture(paje, { "a.trace": text }).catch((problem: unknown) => problem);
      if (result instanceof Error) expect(result).toBeInstanceOf(FormatError);
      else expect((result as { warnings: unknown[] }[])[0].warnings.length).toBeGreaterThan(0);
    }
  });
});

describe("tables of names and pairs", () => {
  it("find what was added, and nothing else", () => {
    const table = new TokenTable(1 << 20, () => {
      throw new Error("full");
    });
    const texts = [
      ...names,
      "",
      "0",
      "1",
      "01",
      "10",
      "100",
      "1000",
      "a",
      "ab",
      "abc",
      "abcd",
      "abcde",
      "\u0000a",
      "a b",
    ];
    for (let at = 0; at < 2000; at++) texts.push(`n${at}`, `${at * 7}`);
    const known = new Map(texts.map((text) => [text, table.internText(text)]));
    expect(table.size).toBe(known.size);
    for (const [text, token] of known) {
      expect(table.textOf(token)).toBe(text);
      const bytes = Buffer.from(text);
      expect(table.find(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length))).toBe(token);
      if (!/^[!-~]{1,4}$/.test(text)) continue;
      const packed = bytes.reduce((sum, byte) => (sum << 8) | byte, 0);
      expect(text.length <= 2 ? table.tiny[packed] : table.findShort(packed)).toBe(token);
    }
    expect(table.find(Buffer.from("none"), 0, 4, hashOf(Buffer.from("none"), 0, 4))).toBe(NONE);
    expect(() => table.internText("y".repeat(2 << 20))).toThrow("full");
    const pairs = new PairTable();
    for (let at = 0; at < 5000; at++) expect(pairs.numberOf(at % 71, at)).toBe(at);
    for (let at = 0; at < 5000; at++) expect(pairs.find(at % 71, at)).toBe(at);
    expect(pairs.find(71, 0)).toBe(NONE);
  });

  it("times beyond all bounds leave what happened then out, and that is said", async () => {
    const { trace, warnings } = await read(`${machine}17 1 E m mark\n17 1e25 E m mark\n12 1e26 S m far\n7 1e27 M m\n`);
    expect(trace?.events).toBe(1);
    expect(warnings.map(({ message }) => message)).toEqual([
      "2 events or values have times that are no numbers, or beyond all bounds: they were left out",
    ]);
  });

  it("open links are a queue a key, as a plain map of queues is", () => {
    const links = new OpenLinks();
    const plain = new Map<string, number[]>();
    let state = 7;
    const random = (below: number) => (state = (state * 48271) % 2147483647) % below;
    for (let step = 0; step < 50_000; step++) {
      const text = `key${random(random(2) ? 40 : 4000)}`.padEnd(3 + random(40), "x");
      const key = Buffer.from(text);
      const [container, type, hash] = [random(3), random(2), hashOf(key, 0, key.length)];
      const name = `${container} ${type} ${text}`;
      const queue = plain.get(name) ?? [];
      plain.set(name, queue);
      const oldest = links.find(container, type, key, 0, key.length, hash);
      expect(oldest === NONE ? undefined : links.seconds[oldest]).toBe(queue[0]);
      if (oldest !== NONE && random(5) < 3) {
        expect(links.keyOf(oldest)).toBe(text);
        links.close(oldest);
        queue.shift();
      } else {
        const link = links.open(container, type, key, 0, key.length, hash, oldest);
        links.seconds[link] = step;
        queue.push(step);
      }
    }
    const left = [...plain.values()].flat().sort((a, b) => a - b);
    expect([...links.all()].map((link) => links.seconds[link]).sort((a, b) => a - b)).toEqual(left);
    expect(links.count).toBe(left.length);
    expect(left.length).toBeGreaterThan(1000);
  });
});
