import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { byName, list, parse } from "../../../src/protocol/bounds";
import { fromEveryPage, type FromEveryPage } from "../../../src/protocol/panel";

const anyMessage = v.variant("type", fromEveryPage);

/** A list of this length; looking at an item is an error. */
function unread(length: number): unknown[] {
  return new Proxy(new Array<unknown>(length), {
    get(target, key, own) {
      if (typeof key === "string" && /^\d+$/.test(key)) throw new Error(`item ${key} was looked at`);
      return Reflect.get(target, key, own) as unknown;
    },
  });
}

/** A list of marks that counts how many of its items were looked at. */
function counted(length: number, item: unknown) {
  let looks = 0;
  const items = new Proxy(new Array<unknown>(length).fill(item), {
    get(target, key, own) {
      if (typeof key === "string" && /^\d+$/.test(key)) looks++;
      return Reflect.get(target, key, own) as unknown;
    },
  });
  return { items, looks: () => looks };
}

describe("lists in messages", () => {
  it("of a page are refused by their length, before an item is looked at", () => {
    const choice = (marks: unknown) => ({ type: "choose", revision: 0, choice: 0, marks });
    expect(parse(anyMessage, choice(unread(20_001)))).toBeUndefined();
    expect(parse(anyMessage, choice(unread(1_000_000)))).toBeUndefined();
    expect(parse(anyMessage, choice(new Array(20_000).fill(7)))).toMatchObject({ type: "choose" });
    expect(parse(anyMessage, choice({ length: 3, 0: 1, 1: 2, 2: 3 }))).toBeUndefined();
  });

  it("are refused at the first item that is wrong", () => {
    const { items, looks } = counted(20_000, "x");
    expect(parse(anyMessage, { type: "choose", revision: 0, choice: 0, marks: items })).toBeUndefined();
    expect(looks()).toBeLessThan(3);
  });

  it("in lists are refused as they are outside", () => {
    const pairs = list(v.object({ names: list(v.string(), 2) }), 3);
    expect(parse(pairs, [{ names: ["a", "b"] }, { names: [] }])).toEqual([{ names: ["a", "b"] }, { names: [] }]);
    expect(parse(pairs, [{ names: unread(3) }])).toBeUndefined();
    expect(parse(pairs, unread(4))).toBeUndefined();
    expect(parse(pairs, [{ names: ["a", 1] }])).toBeUndefined();
  });

  it("may have names, which are refused by their number", () => {
    const shapes = byName(v.picklist(["square", "circle"]), 2);
    expect(parse(shapes, { a: "square", b: "circle" })).toEqual({ a: "square", b: "circle" });
    expect(parse(shapes, { a: "square", b: "triangle" })).toBeUndefined();
    expect(parse(shapes, 3)).toBeUndefined();
    expect(parse(shapes, "")).toBeUndefined();
    const three = {
      a: "square",
      b: "square",
      get c(): string {
        throw new Error("a value was looked at");
      },
    };
    expect(parse(shapes, three)).toBeUndefined();
  });

  it("stay what they were sent as", () => {
    const sent: FromEveryPage = { type: "choose", revision: 2, choice: 3, marks: [0, 5, 2 ** 31] };
    expect(parse(anyMessage, sent)).toEqual(sent);
  });
});
