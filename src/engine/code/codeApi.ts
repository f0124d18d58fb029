/** What may be asked of the code of a recording: how much of a metric each folder, file and function has. */
import type { Named } from "../../model/shortName";
import type { ResourceCut } from "../resources/resourceApi";
import type { Scope } from "../scope";

export const codeKinds = ["all", "folder", "file", "load module", "function"] as const;
export type CodeKind = (typeof codeKinds)[number];

export interface CodeQuery {
  readonly scope: Scope;
  readonly cut: ResourceCut;
}

export interface CodeNode extends Named {
  /** Its number in the whole hierarchy, and what it is called by there, whatever the cut is. */
  readonly id: number;
  readonly key: string;
  readonly kind: CodeKind;
  /** Index into the nodes; -1: the root. */
  readonly parent: number;
  readonly isClosed: boolean;
  /** Functions that it holds. */
  readonly functions: number;
  /** Of a function; -1: of none. */
  readonly function: number;
  /** The file or load module that it is, or is in: index into `groups`; -1: a folder. */
  readonly group: number;
}

export interface CodeAreas {
  /** Of the cut and what it is in; parents before children, of one parent the largest first. */
  readonly nodes: readonly CodeNode[];
  /** Exclusive of each node's functions, added up; of extremes over ranks the mean over them, since these do not add up. */
  readonly values: Float64Array;
  /** Whether values are means over ranks where an extreme was asked for. */
  readonly isMean: boolean;
  /** Names of files and load modules. */
  readonly groups: readonly string[];
  /** No function has a known file or load module: all are in one group. */
  readonly isUnplaced: boolean;
  /** Functions whose value is below 0: they have no area. */
  readonly negative: number;
  readonly depth: number;
  readonly deepest: number;
}
