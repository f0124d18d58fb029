import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect } from "vitest";
import type { Frame } from "../../../src/model/frames";
import { quietTask } from "../../../src/model/task";
import { grammarsInPackages } from "../../../src/source/grammar";
import type { SourceWorld } from "../../../src/source/sources";
import { SymbolIndex } from "../../../src/source/symbolIndex";
import { linksOf, shown } from "./tree";

export const grammars = grammarsInPackages("node_modules");
const made: string[] = [];
afterAll(() => {
  for (const folder of made.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

/** A new folder with these files; it goes when the test file is done. */
export function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-source-")));
  made.push(folder);
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }
  return folder;
}

export async function indexOf(folder: string, world: Partial<SourceWorld> = {}): Promise<SymbolIndex> {
  return SymbolIndex.open({ folders: [folder], ...world }, grammars, quietTask);
}

/** A function as a recording may name it. */
export const fn = (name: string, more: Partial<Frame> = {}): Frame => ({ name, kind: "function", ...more });

/** Path of names (joined by `/`) or frames → `file:line`, several joined by ` | `. */
type Links = readonly (readonly [string | readonly (string | Frame)[], string])[];

/** Links regions of a small program. @returns what the links show, in the shape of `expected` */
export async function linked(files: Readonly<Record<string, string>>, expected: Links): Promise<[unknown, string][]> {
  const folder = folderWith(files);
  const paths = expected.map(([names]) => (typeof names === "string" ? names.split("/") : names));
  const links = await linksOf(await indexOf(folder), paths);
  return links.map((link, at) => [expected[at][0], shown(link, folder)]);
}

export async function expectLinks(files: Readonly<Record<string, string>>, expected: Links): Promise<void> {
  expect(await linked(files, expected)).toEqual(expected);
}

/** Line of the first occurrence of a text, `occurrence` counting from 1: keeps expectations beside what they are about. */
export function lineOf(text: string, wanted: string, occurrence = 1): number {
  const lines = text.split("\n").flatMap((line, at) => (line.includes(wanted) ? [at + 1] : []));
  const line = lines[occurrence - 1];
  if (line === undefined) throw new Error(`the program has no line with ${wanted}`);
  return line;
}
