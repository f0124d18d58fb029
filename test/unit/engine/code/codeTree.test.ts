import { describe, expect, it } from "vitest";
import { codeTree, type CodeFunction } from "../../../../src/engine/code/codeTree";

function functions(...all: readonly (readonly [name: string, value: number, file?: string, module?: string])[]) {
  return all.map(([name, value, file, module = "not known"], at): CodeFunction => ({
    function: at,
    name,
    value,
    file,
    module,
  }));
}

/** Names below each other, with their values. */
function drawn(all: readonly CodeFunction[]): string[] {
  const { names, types, depth, values, groups, groupOf } = codeTree(all);
  return names.map((name, at) => {
    const group = groupOf[at] < 0 ? "" : ` <${groups[groupOf[at]]}>`;
    return `${"  ".repeat(depth[at])}${types[at]} ${name} ${values[at]}${group}`;
  });
}

describe("code as a tree", () => {
  it("has no node for the root of absolute paths, and no folder without a name", () => {
    const all = functions(["a", 4, "/usr/lib/a.c"], ["b", 2, "/home/me//b.c"], ["c", 1, "//net/c.c"]);
    expect(drawn(all).filter((line) => !/function/.test(line))).toEqual([
      "all all 7",
      "  folder /usr/lib 4",
      "    file a.c 4 <a.c>",
      "  folder /home/me 2",
      "    file b.c 2 <b.c>",
      "  folder /net 1",
      "    file c.c 1 <c.c>",
    ]);
  });

  it("has no folders for the dots of paths that are relative to a build", () => {
    const all = functions(
      ["malloc", 4, "./malloc/./malloc/malloc.c"],
      ["start", 2, "./csu/../csu/libc-start.c"],
      ["memset", 1, "./string/../sysdeps/x86_64/memset.S"],
      ["up", 0.5, "../../up/a.c"],
      ["root", 0.25, "/../b.c"],
    );
    expect(drawn(all).filter((line) => / {2}(?:folder|file) /.test(line))).toEqual([
      "  folder malloc/malloc 4",
      "    file malloc.c 4 <malloc.c>",
      "  folder csu 2",
      "    file libc-start.c 2 <libc-start.c>",
      "  folder sysdeps/x86_64 1",
      "    file memset.S 1 <memset.S>",
      "  folder ../../up 0.5",
      "    file a.c 0.5 <a.c>",
      "  folder /.. 0.25",
      "    file b.c 0.25 <b.c>",
    ]);
  });

  it("has functions in files in folders, largest first, a folder in a folder alone as one; else in load modules", () => {
    const all = functions(
      ["solve", 5, "/home/me/heat/src/solver.cpp"],
      ["norm", 2, "/home/me/heat/src/solver.cpp"],
      ["main", 1, "/home/me/heat/main.cpp"],
      ["memcpy", 4, undefined, "libc.so.6"],
      ["MPI_Send", 9, undefined, "MPI"],
      ["put", 3, "C:\\io\\put.c"],
    );
    expect(drawn(all)).toEqual([
      "all all 24",
      "  load module MPI 9 <MPI>",
      "    function MPI_Send 9 <MPI>",
      "  folder /home/me/heat 8",
      "    folder src 7",
      "      file solver.cpp 7 <solver.cpp>",
      "        function solve 5 <solver.cpp>",
      "        function norm 2 <solver.cpp>",
      "    file main.cpp 1 <main.cpp>",
      "      function main 1 <main.cpp>",
      "  load module libc.so.6 4 <libc.so.6>",
      "    function memcpy 4 <libc.so.6>",
      "  folder C:/io 3",
      "    file put.c 3 <put.c>",
      "      function put 3 <put.c>",
    ]);
  });

  it("has what leaves have in every node, and two files of one name apart", () => {
    const all = Array.from({ length: 500 }, (_, at): CodeFunction => ({
      function: at,
      name: `f${at}`,
      value: 1 + (at % 7),
      module: `lib${at % 3}.so`,
      file: at % 5 === 0 ? undefined : `/a/${at % 4}/b/${at % 11}/util.c`,
    }));
    const { parent, values, functionOf, keys, leaves } = codeTree(all);
    const sums = values.map((value, at) => (functionOf[at] < 0 ? 0 : value));
    for (let at = parent.length - 1; at > 0; at--) sums[parent[at]] += sums[at];
    expect(sums).toEqual(values);
    expect([leaves[0], values[0]]).toEqual([500, all.reduce((sum, { value }) => sum + value, 0)]);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("says of functions without file and load module what was not recorded, and whether all are such", () => {
    const unknown = functions(["a", 2, undefined], ["b", 1, undefined]).map((one) => ({ ...one, module: "not known" }));
    const { names, isUnplaced } = codeTree(unknown);
    expect([names[1], isUnplaced]).toEqual(["no file or load module recorded", true]);
    const [first] = functions(["c", 3, "/a/c.c"]);
    expect(codeTree([...unknown, first]).isUnplaced).toBe(false);
    expect(codeTree([first]).isUnplaced).toBe(false);
    expect(codeTree([]).isUnplaced).toBe(false);
  });

  it("is deep without recursion", () => {
    const deep = Array.from({ length: 2000 }, (_, at) => `d${at}`);
    const { deepest } = codeTree(
      functions(...deep.map((_, at) => [`f${at}`, 1, `/${deep.slice(0, Math.min(at, 300)).join("/")}/f.c`] as const)),
    );
    // 300 folders, the file and its function.
    expect(deepest).toBe(300 + 2);
  });
});
