import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { caliper } from "../../../src/formats/caliper/format";
import { chromeTrace } from "../../../src/formats/chrome/format";
import type { Format } from "../../../src/formats/format";
import { InvalidEscapes, textOf } from "../../../src/formats/jsonEscapes";
import { tracker } from "../../../src/formats/tracker/format";
import type { DataSet } from "../../../src/model/dataSet";
import { profile } from "./caliper/caliFixtures";
import { jsonOf, splitOf } from "./caliper/jsonOf";
import { readNaively } from "./caliper/naiveCali";
import { readFixture } from "./formatLaws";
import { written } from "./tracker/trackerWriter";

const PATH = "C:\\work\\model.py";
const WARNING =
  "strings contain escapes that JSON does not have, first \\w: they are kept as written. Double each backslash of a path";

/** All that a recording calls anything, and what it says of its strings. */
async function read(format: Format, text: string): Promise<{ names: Set<string>; said: string[]; dataSet: DataSet }> {
  const [dataSet] = await readFixture(format, { "a.json": text });
  const { strings } = dataSet.frames;
  const names = new Set(Array.from({ length: strings.size }, (_, at) => strings.get(at)));
  for (const values of dataSet.globals.values()) for (const value of values) names.add(value);
  const said = dataSet.warnings.map(({ message }) => message).filter((message) => message.includes("escapes"));
  return { names, said, dataSet };
}

/** A string of JSON as its grammar has it, one character after the other. */
function naiveText(raw: string): string {
  const meant: Record<string, string> = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
  let text = "";
  for (let at = 0; at < raw.length; at++) {
    const sign = raw[at + 1];
    if (raw[at] !== "\\" || sign === undefined) text += raw[at];
    else if (Object.hasOwn(meant, sign)) text += meant[raw[++at]];
    else if (sign === "u" && /^[0-9a-fA-F]{4}$/.test(raw.slice(at + 2, at + 6))) {
      text += String.fromCharCode(Number.parseInt(raw.slice(at + 2, at + 6), 16));
      at += 5;
    } else text += raw[at] + raw[++at];
  }
  return text;
}

describe("escapes in strings of JSON", () => {
  it("are those of its grammar; any other stays as it is written", () => {
    const piece = fc.constantFrom(
      "\\",
      "\\\\",
      "\\n",
      "\\w",
      "\\u00e4",
      "\\u12",
      "\\U",
      "a",
      "ä",
      "😀",
      "\\ud83d\\ude00",
      "\\/",
      '\\"',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const raw = pieces.join("");
        const bytes = Buffer.from(raw);
        expect(textOf(bytes, 0, bytes.length)).toBe(naiveText(raw));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const bytes = Buffer.from(JSON.stringify(text));
        const invalid = new InvalidEscapes();
        expect(textOf(bytes, 1, bytes.length - 1, invalid)).toBe(
          Buffer.from(text).toString() === text ? text : JSON.parse(bytes.toString()),
        );
        expect(invalid.warnings("a")).toEqual([]);
      }),
    );
  });

  const naive = readNaively(profile().text());
  it.each([
    ["names of Chrome's format", chromeTrace, `[{"ph":"X","name":"${PATH}","ts":1,"dur":2,"pid":1,"tid":1}]`],
    [
      "arguments of Chrome's format",
      chromeTrace,
      `{"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":2,"pid":1,"tid":1,"args":{"file":"${PATH}","line":7}}]}`,
    ],
    [
      "metadata of Chrome's format",
      chromeTrace,
      `{"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":2}],"of":"${PATH}"}`,
    ],
    [
      "stacks of Kineto",
      chromeTrace,
      `{"schemaVersion":1,"deviceProperties":[],"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":5,"args":{"Call stack":"${PATH}(12): forward"}}]}`,
    ],
    ["Caliper's json", caliper, jsonOf(naive, "object").replaceAll("main", PATH)],
    ["Caliper's list of records", caliper, jsonOf(naive, "records").replaceAll("main", PATH)],
    ["Caliper's json-split", caliper, splitOf(naive).replaceAll('"main"', `"${PATH}"`)],
    [
      "the tracker's",
      tracker,
      written({ startNanoseconds: 5, threads: [[{ name: "dot", steps: [7] }]] }).text.replaceAll('"dot"', `"${PATH}"`),
    ],
  ] as const)("of %s stay as they are written, with one warning", async (_, format, text) => {
    const { names, said } = await read(format, text);
    expect([...names]).toContain(PATH);
    expect(said).toEqual([WARNING]);
    const proper = await read(format, text.replaceAll(PATH, PATH.replaceAll("\\", "\\\\")));
    expect([...proper.names]).toContain(PATH);
    expect(proper.said).toEqual([]);
  });
});
