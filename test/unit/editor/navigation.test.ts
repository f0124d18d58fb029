import { describe, expect, it } from "vitest";
import type { HotPlace, Place, SourceLink } from "../../../src/engine/api";
import { columnFor, type Group } from "../../../src/editor/columns";
import { filesByCost, firstLinked, hotLinesOf, nextFile, nextLine } from "../../../src/editor/hotLines";
import { liesIn } from "../../../src/editor/liesIn";
import { missingFiles } from "../../../src/editor/missingFiles";
import { ruleFor } from "../../../src/editor/sourceRule";

const group = (column: number, parts: Partial<Group> = {}): Group => ({
  column,
  active: false,
  showsPanel: false,
  showsPage: false,
  showsFile: false,
  ...parts,
});

describe("the editor group that a line is shown in", () => {
  it("is never the panel's own", () => {
    expect(columnFor([group(1, { active: true, showsPanel: true })], 1)).toBe(-2);
    expect(columnFor([group(1), group(2, { active: true, showsPanel: true })], 2)).toBe(1);
  });

  it("is none in which a panel is in front, also where none asked", () => {
    expect(columnFor([group(1, { showsPanel: true, active: true }), group(2)], undefined)).toBe(2);
    expect(columnFor([group(1, { showsPanel: true }), group(2, { showsPanel: true, showsFile: true })], 1)).toBe(-2);
  });

  it("is one that has the file, before the active one", () => {
    expect(columnFor([group(1, { active: true }), group(2, { showsFile: true })], undefined)).toBe(2);
    expect(columnFor([group(1), group(2, { active: true })], undefined)).toBe(2);
  });

  it("is a page's, unless the page asked, before the window is split once more", () => {
    const page = group(1, { showsPage: true });
    expect(columnFor([page, group(2, { active: true, showsPanel: true })], 2)).toBe(1);
    expect(columnFor([page, group(2)], undefined)).toBe(2);
    expect(columnFor([group(1, { showsPage: true, active: true })], 1)).toBe(-2);
  });

  it("is the first where there is none yet", () => {
    expect(columnFor([], undefined)).toBe(1);
  });
});

const link = (places: Place[], missingFile?: string): SourceLink => ({
  places,
  rule: places.length > 0 ? "definition" : "unknown",
  reason: "",
  considered: [],
  missingFile,
});
const hot = (name: string, exclusive: number, places: Place[], missingFile?: string): HotPlace => ({
  name,
  context: 0,
  function: 0,
  functions: 1,
  exclusive,
  link: link(places, missingFile),
});

describe("hot lines", () => {
  it("are lines with heat, not those with text only", () => {
    expect(
      hotLinesOf([
        { line: 3, level: 1 },
        { line: 4, text: "→ f" },
        { line: 9, level: 0 },
      ]),
    ).toEqual([3, 9]);
  });

  it("follow each other down and up, and end", () => {
    expect(nextLine([3, 9, 12], 3, 1)).toBe(9);
    expect(nextLine([3, 9, 12], 12, 1)).toBeUndefined();
    expect(nextLine([3, 9, 12], 10, -1)).toBe(9);
    expect(nextLine([3, 9, 12], 3, -1)).toBeUndefined();
  });

  it("go on in the file of the next lower cost, round and round", () => {
    const a = { file: "/a", line: 1 };
    const b = { file: "/b", line: 1 };
    const files = filesByCost([
      hot("f", 3, [b]),
      hot("g", 2, [a]),
      hot("h", 2, [{ file: "/a", line: 5 }]),
      hot("both", 100, [a, b]),
      hot("none", 50, []),
    ]);
    expect(files).toEqual(["/a", "/b"]);
    expect(nextFile(files, "/a", 1)).toBe("/b");
    expect(nextFile(files, "/b", 1)).toBe("/a");
    expect(nextFile(files, "/a", -1)).toBe("/b");
    expect(nextFile(files, "/else", 1)).toBe("/a");
    expect(nextFile(files, undefined, -1)).toBe("/b");
    expect(nextFile([], "/a", 1)).toBeUndefined();
  });

  it("begin with the first frame that leads somewhere", () => {
    expect(firstLinked([hot("nowhere", 9, []), hot("here", 1, [{ file: "/a", line: 1 }])])?.name).toBe("here");
  });
});

describe("missing files", () => {
  it("are listed once, by cost, with functions that need them", () => {
    const places = [
      hot("f", 9, [], "src/a.cpp"),
      hot("g", 8, [{ file: "/b", line: 1 }]),
      hot("h", 7, [], "src/c.cpp"),
      hot("f", 6, [], "src/a.cpp"),
      hot("i", 5, [], "src/a.cpp"),
    ];
    expect(missingFiles(places)).toEqual([
      { file: "src/a.cpp", functions: ["f", "i"] },
      { file: "src/c.cpp", functions: ["h"] },
    ]);
  });
});

describe("the rule that a located file gives", () => {
  it("drops what both paths end with, so neighbours are found too", () => {
    expect(ruleFor("/home/user/miniheat/src/solver.cpp", "/home/me/copy/src/solver.cpp", [])).toEqual({
      from: "/home/user/miniheat",
      to: "/home/me/copy",
    });
  });

  it("writes a target in the workspace relative to its folder", () => {
    expect(ruleFor("/build/src/solver.cpp", "/ws/app/src/solver.cpp", ["/ws"])).toEqual({ from: "/build", to: "app" });
    expect(ruleFor("/build/src/solver.cpp", "/ws/src/solver.cpp", ["/ws"])).toEqual({ from: "/build", to: "." });
    expect(ruleFor("/build/src/solver.cpp", "/wsx/src/solver.cpp", ["/ws"])).toEqual({ from: "/build", to: "/wsx" });
  });

  it("keeps the first part of a relative path: a rule from nothing would match everything", () => {
    expect(ruleFor("src/solver.cpp", "/ws/src/solver.cpp", ["/ws"])).toEqual({ from: "src", to: "src" });
    expect(ruleFor("solver.cpp", "/ws/src/solver.cpp", ["/ws"])).toEqual({ from: "solver.cpp", to: "src/solver.cpp" });
  });

  it("takes a renamed file for itself alone", () => {
    expect(ruleFor("/build/a.cpp", "/ws/b.cpp", ["/ws"])).toEqual({ from: "/build/a.cpp", to: "b.cpp" });
  });

  it("reads paths of Windows", () => {
    expect(ruleFor("C:\\build\\src\\a.cpp", "/ws/src/a.cpp", ["/ws"])).toEqual({ from: "C:/build", to: "." });
  });
});

describe("the border of the workspace", () => {
  it("is a folder's name, not its beginning, and not passed by dots", () => {
    expect(liesIn("/ws", "/ws/src/a.cpp")).toBe(true);
    expect(liesIn("/ws", "/ws")).toBe(true);
    expect(liesIn("/ws", "/ws/..a/b")).toBe(true);
    for (const outside of ["/wsx/a.cpp", "/ws/../etc/passwd", "/", "/etc/passwd"])
      expect(liesIn("/ws", outside)).toBe(false);
  });
});
