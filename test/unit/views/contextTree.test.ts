import { describe, expect, it } from "vitest";
import type { ContextRow, Engine, Scope } from "../../../src/engine/api";
import type { Session } from "../../../src/session/session";
import type { Node } from "../../../src/views/contextNodes";
import { UnfoldedTree } from "../../../src/views/contextTree";
import { dataSetInfo } from "../session/sampleInfo";

const scope: Scope = { dataSet: 1, metric: 0, over: "sum" };

/** Context 0 calls 1 … 300, heaviest first; 300 calls 301, 301 calls 302, and so on. */
function engineOf(questions: string[]): Partial<Engine> {
  const row = (context: number): ContextRow => ({
    context,
    name: `f${context}`,
    kind: "function",
    origin: "none",
    detail: "",
    exclusive: 1,
    inclusive: 1000 - context,
    children: context === 0 ? 300 : context >= 300 ? 1 : 0,
  });
  const childrenOf = (parent: number | undefined) => {
    if (parent === undefined) return [0];
    if (parent === 0) return Array.from({ length: 300 }, (_, at) => at + 1);
    return parent >= 300 ? [parent + 1] : [];
  };
  return {
    total: () => Promise.resolve(1000),
    contexts: ({ parent, limit }) => {
      questions.push(`children of ${parent} up to ${limit}`);
      const all = childrenOf(parent);
      return Promise.resolve({ rows: all.slice(0, limit).map(row), more: Math.max(0, all.length - limit) });
    },
    callers: ({ path, limit }) => {
      const rows = [path.length === 0 ? [7] : [...path, path.length]];
      return Promise.resolve({
        rows: rows
          .slice(0, limit)
          .map((at) => ({ path: at, name: `f${at.at(-1)}`, exclusive: 1, inclusive: 1, callers: 1 })),
        more: 0,
      });
    },
    pathOf: ({ context }) =>
      Promise.resolve(
        context <= 300 ? [0, context] : [0, 300, ...Array.from({ length: context - 300 }, (_, at) => 301 + at)],
      ),
    describeContext: ({ context }) =>
      Promise.resolve({
        ...row(context),
        path: [],
        function: 0,
        link: { places: [], rule: "unknown", reason: "", considered: [] },
      }),
  };
}

function treeOf(as: "callees" | "callers", questions: string[] = []): UnfoldedTree {
  const session = { engine: engineOf(questions) as Engine, dataSets: [dataSetInfo()] } as unknown as Session;
  return new UnfoldedTree(session, scope, as);
}

const labels = (nodes: readonly Node[]) =>
  nodes.map((node) => (node.kind === "more" ? `${node.more} more` : node.row.name));

describe("the unfolded part of a calling context tree", () => {
  it("asks for a level when it is unfolded, once", async () => {
    const questions: string[] = [];
    const tree = treeOf("callees", questions);
    const [root] = await tree.childrenOf(undefined);
    await tree.childrenOf(undefined);
    expect(questions).toEqual(["children of undefined up to 50"]);
    const children = await tree.childrenOf(root);
    expect(children).toHaveLength(51);
    expect(labels(children).at(-1)).toBe("250 more");
    expect(children.every(({ parent }) => parent === root)).toBe(true);
  });

  it("shows more of a cut level, and the other levels as before", async () => {
    const tree = treeOf("callees");
    const [root] = await tree.childrenOf(undefined);
    tree.showMore(root);
    const children = await tree.childrenOf(root);
    expect(labels(children).slice(198)).toEqual(["f199", "f200", "100 more"]);
    expect((await tree.childrenOf(undefined))[0]).toBe(root);
  });

  it("finds a context behind the cut, and adds it to its level", async () => {
    const tree = treeOf("callees");
    const changed: (Node | undefined)[] = [];
    const node = await tree.nodeOf(302, (level) => changed.push(level));
    const [root] = await tree.childrenOf(undefined);
    expect(node?.row.name).toBe("f302");
    expect(changed).toEqual([root]);
    expect(labels(await tree.childrenOf(root)).slice(-2)).toEqual(["f300", "249 more"]);
    const chain = [];
    for (let at: Node | undefined = node; at; at = at.parent) chain.push(at.key);
    expect(chain).toEqual(["context/302", "context/301", "context/300", "context/0"]);
  });

  it("adds nothing for a context that is shown", async () => {
    const tree = treeOf("callees");
    const changed: unknown[] = [];
    expect((await tree.nodeOf(5, (level) => changed.push(level)))?.row.context).toBe(5);
    expect(changed).toEqual([]);
  });

  it("reveals nothing that is too deep to be read", async () => {
    expect(await treeOf("callees").nodeOf(100_000, () => undefined)).toBeUndefined();
  });

  it("goes from a function to its callers and on to theirs", async () => {
    const tree = treeOf("callers");
    const [hot] = await tree.childrenOf(undefined);
    const [caller] = await tree.childrenOf(hot);
    const [further] = await tree.childrenOf(caller);
    expect([hot, caller, further].map(({ key }) => key)).toEqual(["caller/7", "caller/7/1", "caller/7/1/2"]);
  });

  it("asks again where the question failed", async () => {
    const questions: string[] = [];
    const engine = engineOf(questions);
    const { contexts } = engine;
    engine.contexts = () => Promise.reject(new Error("the worker is gone"));
    const tree = new UnfoldedTree({ engine, dataSets: [] } as unknown as Session, scope, "callees");
    await expect(tree.childrenOf(undefined)).rejects.toThrow("gone");
    engine.contexts = contexts;
    expect(labels(await tree.childrenOf(undefined))).toEqual(["f0"]);
  });
});
