/** The nodes of the calling contexts view: top-down contexts, or chains of callers. Pure. */
import type { CallerRow, ComparedValue, ContextRow } from "../engine/api";
import { bothText, comparedText } from "../model/differences";
import { shownOf } from "../model/shortName";
import { type CostScale, costsOf, costTooltip, labelOf, moreLabel, type RowCosts } from "./costTexts";

export interface ContextNode {
  readonly kind: "context";
  readonly key: string;
  readonly row: ContextRow;
  readonly parent: Node | undefined;
  /** Its inclusive in both recordings, while two are compared. */
  readonly compared?: ComparedValue;
}

export interface CallerNode {
  readonly kind: "caller";
  readonly key: string;
  readonly row: CallerRow;
  readonly parent: Node | undefined;
  /** Its exclusive in both recordings, while two are compared. */
  readonly compared?: ComparedValue;
}

/** Stands behind a list that was cut. */
export interface MoreNode {
  readonly kind: "more";
  readonly key: string;
  readonly more: number;
  readonly parent: Node | undefined;
}

export type Node = ContextNode | CallerNode | MoreNode;

export function contextNode(row: ContextRow, parent: Node | undefined, compared?: ComparedValue): ContextNode {
  return { kind: "context", key: `context/${row.context}`, row, parent, ...(compared ? { compared } : {}) };
}

export function callerNode(row: CallerRow, parent: Node | undefined, compared?: ComparedValue): CallerNode {
  return { kind: "caller", key: `caller/${row.path.join("/")}`, row, parent, ...(compared ? { compared } : {}) };
}

/** Children are listed under this key; the roots under "". */
export function keyOf(node: Node | undefined): string {
  return node?.key ?? "";
}

export interface NodeTexts {
  readonly label: string;
  readonly description?: string;
  readonly icon?: string;
  readonly expandable: boolean;
}

export function nodeTexts(node: Node, scale: CostScale): NodeTexts {
  if (node.kind === "more") return { label: moreLabel(node.more), expandable: false };
  const { row, compared } = node;
  const sortedBy = node.kind === "context" ? "inclusive" : "exclusive";
  const { first, further } = compared ? comparedCosts(compared, scale) : costsOf(row, sortedBy, scale);
  if (node.kind === "context")
    return {
      label: labelOf(first, shownOf(row)),
      description: further,
      icon: iconOf(node.row),
      expandable: node.row.children > 0,
    };
  // Of the function asked for: its cost along this chain of callers.
  return {
    label: labelOf(first, node.row.path.length === 1 ? shownOf(row) : `← ${shownOf(row)}`),
    description: further,
    icon: "symbol-function",
    expandable: node.row.callers > 0,
  };
}

/** A difference before the name. Two values without a rank would leave no room for it: they are behind the name. */
function comparedCosts(compared: ComparedValue, { unit }: CostScale): RowCosts {
  const text = comparedText(compared, unit);
  const isRanked = compared.baselineNoRank === undefined && compared.candidateNoRank === undefined;
  return isRanked ? { first: text, further: "" } : { first: "", further: text };
}

/** What a row's tooltip says: its costs, or, while two recordings are compared, what it costs in both. @param meaning of the numbers */
export function nodeTooltip(node: ContextNode | CallerNode, meaning: string, scale: CostScale): string {
  const { row, compared } = node;
  if (!compared) return costTooltip(row, meaning, scale);
  const of = node.kind === "context" ? "inclusive" : "exclusive";
  return [row.name, `${of} ${bothText(compared, scale.unit)}`, meaning].join("\n");
}

function iconOf({ kind, origin }: ContextRow): string {
  if (origin === "mpi" || origin === "runtime") return "broadcast";
  if (origin === "outside") return "circle-slash";
  if (origin === "loop" || kind === "loop") return "sync";
  if (kind === "line" || kind === "instruction") return "symbol-key";
  return kind === "region" ? "symbol-namespace" : "symbol-function";
}
