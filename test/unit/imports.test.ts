import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

/** The files that each file of `src` and `webviews` imports, types too. */
function importsOfAll(): Map<string, string[]> {
  const files = ["src", "webviews"].flatMap((folder) =>
    (fs.readdirSync(folder, { recursive: true }) as string[]).map((name) => path.join(folder, name)),
  );
  const sources = new Set(files.filter((file) => /\.tsx?$/.test(file)));
  return new Map(
    [...sources].map((file) => {
      const { importedFiles } = ts.preProcessFile(fs.readFileSync(file, "utf8"), true, true);
      const imported = importedFiles.map(({ fileName }) => path.join(path.dirname(file), fileName));
      return [file, imported.flatMap((name) => [`${name}.ts`, `${name}.tsx`]).filter((name) => sources.has(name))];
    }),
  );
}

/** Each a way from a file back to itself; none twice. */
function cyclesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]) => {
    const at = way.indexOf(file);
    if (at >= 0) cycles.push([...way.slice(at), file].join(" → "));
    if (at >= 0 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return cycles;
}

it("no file imports one that imports it, by whatever way", () => {
  const imports = importsOfAll();
  expect(imports.size).toBeGreaterThan(400);
  expect(cyclesIn(imports)).toEqual([]);
});

it("a way back is found, once", () => {
  const imports = new Map([
    ["a", ["b", "c"]],
    ["b", ["c"]],
    ["c", ["d", "b"]],
    ["d", []],
  ]);
  expect(cyclesIn(imports)).toEqual(["b → c → b"]);
});
