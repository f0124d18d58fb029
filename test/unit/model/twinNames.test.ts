import { describe, expect, it } from "vitest";
import { twinFiles, twinModules } from "../../../src/model/twinNames";

describe("files of two runs", () => {
  it("are the same by their paths, then by a base name that no other has", () => {
    const twin = twinFiles(["/O1/a.c", "/usr/b.c"], ["/O3/a.c", "/usr/b.c"], []);
    expect(["/O3/a.c", "/usr/b.c"].map(twin)).toEqual(["/O1/a.c", "/usr/b.c"]);
  });

  it("of one base name are told apart by the functions that both runs have, and left alone where these say nothing", () => {
    const first = ["/O1/x/util.c", "/O1/y/util.c"];
    const second = ["/O3/y/util.c", "/O3/z/util.c"];
    expect(second.map(twinFiles(first, second, []))).toEqual(second);
    const shared = [["/O1/y/util.c", "/O3/y/util.c"] as const];
    expect(second.map(twinFiles(first, second, shared))).toEqual(["/O1/y/util.c", "/O3/z/util.c"]);
    // Two are as good.
    const unclear = [...shared, ["/O1/x/util.c", "/O3/y/util.c"] as const];
    expect(second.map(twinFiles(first, second, unclear))).toEqual(second);
  });

  it("of other base names are others, whatever functions moved between them", () => {
    expect(twinFiles(["/a.c"], ["/b.c"], [["/a.c", "/b.c"]])("/b.c")).toBe("/b.c");
  });

  it("that one run alone has lie in the folder that is the twin of theirs, where that is one", () => {
    const second = ["/O3/a.c", "/O3/new.c"];
    expect(twinFiles(["/O1/a.c"], second, [])("/O3/new.c")).toBe("/O1/new.c");
    expect(twinFiles(["/O1/a.c", "/O1/sub/b.c"], [...second, "/O3/b.c"], [])("/O3/new.c")).toBe("/O3/new.c");
  });
});

describe("load modules of two runs", () => {
  it("are the same by name, then by base name, then where most of what they share is in the two", () => {
    const first = ["/bin/prog.O1", "/lib/libc.so.6"];
    const second = ["/bin/prog.O3", "/opt/libc.so.6", "/lib/libnew.so"];
    const shared = [
      ["/bin/prog.O1", "/bin/prog.O3"],
      ["/bin/prog.O1", "/bin/prog.O3"],
      ["/bin/prog.O1", "/lib/libnew.so"],
    ] as const;
    expect(second.map(twinModules(first, second, shared))).toEqual([...first, "/lib/libnew.so"]);
  });
});
