/** What is called from one line of a document, and where each callee is defined (semantics 4, call lines). */
import { isFunctionKind } from "../../model/frames";
import type { Task } from "../../model/task";
import type { DocumentText, LineCall } from "./lineApi";
import type { Scope } from "../scope";
import type { Links } from "./links";
import { measuredCallCosts } from "./measuredDocuments";
import type { OpenDataSet } from "../dataSets/openDataSet";
import { heaviest, lineGroups, subtrees } from "./lineGroups";

/** Callees of one line that are listed in full; a line of a loop over function pointers may call thousands. */
const MOST = 50;

/** Heaviest first. */
export async function lineCalls(
  open: OpenDataSet,
  links: Links,
  scope: Scope,
  document: DocumentText,
  line: number,
  task: Task,
): Promise<LineCall[]> {
  const { measured } = open;
  const placed = await links.placedIn(measured?.flat ?? open, document, task);
  return measured
    ? measuredLineCalls(open, links, scope, placed.here, line, task)
    : treeLineCalls(open, links, scope, placed.calls, line, task);
}

type Placed = Awaited<ReturnType<Links["placedIn"]>>["here"];

async function treeLineCalls(
  open: OpenDataSet,
  links: Links,
  scope: Scope,
  calls: Placed,
  line: number,
  task: Task,
): Promise<LineCall[]> {
  const { inclusive, total } = open.numbers(scope);
  const onLine = calls.filter((one) => one.line === line);
  const callees = lineGroups(open, onLine, ({ places }) => places.length)
    .map((callee) => ({ ...callee, cost: open.cost(scope, subtrees(open, callee.contexts)) }))
    .filter(({ cost }) => cost !== 0)
    .sort((a, b) => b.cost - a.cost || a.function - b.function);
  const found: LineCall[] = [];
  for (const { function: id, contexts, link, cost } of callees.slice(0, MOST)) {
    const [context] = heaviest(contexts, inclusive, 1);
    const definition = await links.link(open, context, task);
    const name = open.shownFunction(id);
    found.push({ line, callee: name, function: id, context, inclusive: cost, share: cost / total, link, definition });
  }
  return found;
}

async function measuredLineCalls(
  open: OpenDataSet,
  links: Links,
  scope: Scope,
  here: Placed,
  line: number,
  task: Task,
): Promise<LineCall[]> {
  const { measured } = open;
  const onLine = here.filter((one) => one.line === line);
  if (measured === undefined || onLine.length === 0) return [];
  const { flat } = measured;
  const { tree, frames } = flat.dataSet;
  const found: LineCall[] = [];
  for (const { callee, function: id, inclusive, share } of measuredCallCosts(open, measured, scope, onLine).slice(
    0,
    MOST,
  )) {
    const context = flat.functions.ofContext.findIndex(
      (own, at) => own === id && isFunctionKind(frames.kindOf(tree.frame[at])),
    );
    if (context < 0) continue;
    const definition = await links.link(flat, context, task);
    found.push({ line, callee, function: id, inclusive, share, link: onLine[0].link, definition });
  }
  return found;
}
