import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { build, temporaryFolder } from "./build";

const folder = temporaryFolder();
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** What C++ calls the functions of test/names.cpp, without arguments, in the order in which they run. */
const NAMES = [
  "main",
  ...["Kernel", "dot", "operator<", "operator()", "operator->", "operator double", "~Kernel"].map(
    (name) => `mini::Kernel::${name}`,
  ),
  "mini::Kernel::Inner::pick",
  "mini::hidden",
  "mini::Local::dot",
  "mini::words",
  "mini::deduced",
  // Its name stands within its type: only its own is known.
  "pointer",
  "mini::dot",
  "Kernel::dot",
  "Here::there",
  "operator()",
  "mini::launch",
];

describe("names of functions that are marked", () => {
  it.each(["g++", "clang++"])("have classes and namespaces where %s compiles them", { timeout: 60_000 }, (compiler) => {
    const program = build(folder, ["test/names.cpp"], { compiler });
    expect(execFileSync(program, { encoding: "utf8" }).trim().split("\n")).toEqual(NAMES);
  });
});
