import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const folder = path.resolve(import.meta.dirname, "../../../src/protocol");

describe("schemas of messages", () => {
  // `list` of bounds.ts looks at the length first; `v.array` looks at all items before anything that follows it.
  it("have no list without a length that is checked first", () => {
    const found = fs.readdirSync(folder).flatMap((file) => {
      const lines = fs.readFileSync(path.join(folder, file), "utf8").split("\n");
      return lines.flatMap((line, at) => (line.includes("v.array(") ? [`${file}:${at + 1}`] : []));
    });
    expect(found).toEqual([expect.stringMatching(/^bounds\.ts:/)]);
  });
});
