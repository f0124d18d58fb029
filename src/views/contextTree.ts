import type { ComparedPair, Scope } from "../engine/api";
import type { Session } from "../session/session";
import { callerNode, contextNode, type ContextNode, keyOf, type Node } from "./contextNodes";
import type { CostScale } from "./costTexts";
import { scaleOf } from "./scale";

/** Children shown at first; each click on the last row shows as many more. */
const PAGE = 50;
/** A row deeper than this is not revealed: a tree that is indented so far cannot be read. */
const DEEPEST_REVEALED = 200;

/** The part of the calling context tree that has been unfolded, asked from the engine level by level, under one scope. */
export class UnfoldedTree {
  private readonly children = new Map<string, Promise<Node[]>>();
  private readonly limits = new Map<string, number>();
  private readonly pinned = new Map<string, Set<number>>();
  private readonly scale: Promise<CostScale>;

  constructor(
    private readonly session: Session,
    readonly scope: Scope,
    readonly as: "callees" | "callers",
    /** Differences are shown instead of costs. */
    private readonly pair?: ComparedPair,
  ) {
    this.scale = scaleOf(session, scope);
    this.scale.catch(() => undefined);
  }

  costScale(): Promise<CostScale> {
    return this.scale;
  }

  childrenOf(node: Node | undefined): Promise<Node[]> {
    const key = keyOf(node);
    const known = this.children.get(key);
    if (known) return known;
    const asked = this.ask(node);
    this.children.set(key, asked);
    asked.catch(() => this.children.delete(key));
    return asked;
  }

  showMore(node: Node | undefined): void {
    const key = keyOf(node);
    this.limits.set(key, (this.limits.get(key) ?? PAGE) * 4);
    this.children.delete(key);
  }

  /**
   * The node of a context, with all nodes above it; where a level was cut before it, it is added to that level.
   *
   * @param changed called with a level that got a further node
   */
  async nodeOf(context: number, changed: (node: Node | undefined) => void): Promise<ContextNode | undefined> {
    const path = await this.session.engine.pathOf({ dataSet: this.scope.dataSet, context });
    if (path.length > DEEPEST_REVEALED) return undefined;
    let above: ContextNode | undefined;
    for (const step of path) {
      const found = (await this.find(above, step)) ?? (await this.pin(above, step, changed));
      if (!found) return undefined;
      above = found;
    }
    return above;
  }

  private async find(parent: ContextNode | undefined, context: number): Promise<ContextNode | undefined> {
    const nodes = await this.childrenOf(parent);
    return nodes.find((node): node is ContextNode => node.kind === "context" && node.row.context === context);
  }

  private async pin(
    parent: ContextNode | undefined,
    context: number,
    changed: (node: Node | undefined) => void,
  ): Promise<ContextNode | undefined> {
    const key = keyOf(parent);
    this.pinned.set(key, (this.pinned.get(key) ?? new Set<number>()).add(context));
    this.children.delete(key);
    changed(parent);
    return this.find(parent, context);
  }

  private async ask(node: Node | undefined): Promise<Node[]> {
    const limit = this.limits.get(keyOf(node)) ?? PAGE;
    const { nodes, more } = await (this.as === "callees" ? this.callees(node, limit) : this.callers(node, limit));
    if (more > 0) nodes.push({ kind: "more", key: `more/${keyOf(node)}`, more, parent: node });
    return nodes;
  }

  private async callees(node: Node | undefined, limit: number): Promise<{ nodes: Node[]; more: number }> {
    if (node && node.kind !== "context") return { nodes: [], more: 0 };
    const { engine } = this.session;
    const { rows, more } = await engine.contexts({ scope: this.scope, parent: node?.row.context, limit });
    const shown = new Set(rows.map(({ context }) => context));
    const missing = [...(this.pinned.get(keyOf(node)) ?? [])].filter((context) => !shown.has(context));
    const added = await Promise.all(missing.map((context) => engine.describeContext({ scope: this.scope, context })));
    const all = [...rows, ...added];
    const { pair, scope } = this;
    const query = { of: { dataSet: scope.dataSet }, contexts: all.map(({ context }) => context) };
    const compared = pair ? await engine.contextDifferences({ ...pair, ...query }) : [];
    return { nodes: all.map((row, at) => contextNode(row, node, compared[at])), more: more - added.length };
  }

  private async callers(node: Node | undefined, limit: number): Promise<{ nodes: Node[]; more: number }> {
    if (node && node.kind !== "caller") return { nodes: [], more: 0 };
    const { engine } = this.session;
    const { pair, scope } = this;
    const path = node?.row.path ?? [];
    const { rows, more } = await engine.callers({ scope, path, limit });
    const query = { of: { dataSet: scope.dataSet }, path, callers: rows.map((row) => row.path[row.path.length - 1]) };
    const compared = pair ? await engine.callerDifferences({ ...pair, ...query }) : [];
    return { nodes: rows.map((row, at) => callerNode(row, node, compared[at])), more };
  }
}
