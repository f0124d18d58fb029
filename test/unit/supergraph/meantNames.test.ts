import { expect, it } from "vitest";
import { meantName } from "../../../src/supergraph/meantNames";

const PLANE = "bool voro::cell::nplane<voro::neighbor>(voro::neighbor&, double)";
const names = new Set([PLANE, "voro::cell::volume()", "a::run(int)", "b::run(int)", "main"]);
const meant = (typed: string) => meantName(names, typed, "a function of this graph");

it("a short name that only one function has means it", () => {
  for (const typed of [PLANE, "voro::cell::nplane", "voro::cell::nplane<voro::neighbor>", "nplane", "cell::nplane"])
    expect(meant(typed)).toBe(PLANE);
  expect(meant("main")).toBe("main");
});

it("a short name of several is refused, and says which they are", () => {
  expect(() => meant("run")).toThrow('"run" may be one of several: "a::run(int)", "b::run(int)".');
});

it("names that hold the text, or are written nearly alike, stand in the error", () => {
  expect(() => meant("VOLUM")).toThrow('"VOLUM" is not a function of this graph. Near it is "voro::cell::volume()".');
  expect(() => meant("nplaen")).toThrow(/Near it is "bool voro::cell::nplane</);
  expect(() => meant("nothing")).toThrow(/^"nothing" is not a function of this graph\. There are "a::run\(int\)", /);
});
