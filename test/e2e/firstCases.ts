/** Recordings of programs as they come, and what the command line says of them. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { recordings } from "../recordings";

const cases = path.join(recordings() ?? "", "first/cases");

/** Files of the recordings; none where they are not at hand. */
export const firstCases: readonly string[] = fs.existsSync(cases)
  ? fs.readdirSync(cases).filter((name) => name.endsWith(".gz"))
  : [];

export function firstCaseFile(name: string): string {
  return path.join(cases, name);
}

export interface PrintedBar {
  readonly id: string;
  readonly group: string;
  readonly visit: number;
  readonly inclusive: number;
  readonly exclusive: number;
}

export interface PrintedGraph {
  readonly nodes: readonly PrintedBar[];
  readonly edges: readonly { readonly source: string; readonly target: string; readonly inclusive: number }[];
  readonly first?: {
    readonly filter: number;
    /** Ids of bars, the five hottest first. */
    readonly names: readonly string[];
    /** Flows that are drawn while nothing is pointed at. */
    readonly drawn: readonly (readonly [source: string, target: string])[];
  };
}

/** What the command line prints of a graph. */
export function printedGraph(file: string, ...options: readonly string[]): PrintedGraph {
  const args = ["dist/cli.js", "graph", file, "--json", ...options];
  return JSON.parse(
    execFileSync(process.execPath, args, {
      encoding: "utf8",
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "ignore"],
    }),
  ) as PrintedGraph;
}
