import { describe, expect, it } from "vitest";
import type { GraphEntry, SourceLink, SuperGraph } from "../../../../src/engine/api";
import { packGraph, unpackGraph } from "../../../../src/engine/thread/graphColumns";

/** A graph of one bar whose entries lead here. */
function graphOf(links: readonly SourceLink[]): SuperGraph {
  const entries = links.map((link, at): GraphEntry => ({ name: `f${at}`, inclusive: at, exclusive: at, link }));
  return {
    metric: "time",
    unit: "s",
    over: "sum",
    total: 1,
    hidden: 0,
    functions: links.length,
    filter: 0,
    shownNames: new Map(),
    filtered: { functions: 0, contexts: 0, exclusive: 0 },
    bars: [{ id: "a", group: "a", visit: 1, level: 0, inclusive: 1, exclusive: 1, hidden: 0, contexts: 1, entries }],
    edges: [],
    groupBy: "file",
    skipped: [],
    notes: [],
  };
}

function link(reason: string, more: Partial<SourceLink> = {}): SourceLink {
  return { places: [], rule: "unknown", reason, considered: [], ...more };
}

describe("graphs on their way between threads", () => {
  it("hold links that say the same once, and keep apart what differs in anything", () => {
    const at = (file: string, line: number) => ({ places: [{ file, line }] });
    const differing = [
      link("r"),
      link("s"),
      link("r", { rule: "definition" }),
      link("r", at("/a.c", 1)),
      link("s", at("/a.c", 1)),
      link("r", at("/a.c", 2)),
      link("r", at("/b.c", 1)),
      link("r", { ...at("/a.c", 1), rule: "definition" }),
      link("r", { missingFile: "a.c" }),
      link("r", { summary: "2 calls" }),
      // A file whose name ends as a reason begins.
      link("cr", at("/a.", 1)),
    ];
    const plain = differing.slice(0, 8).map((own) => structuredClone(own));
    const graph = graphOf([...differing, ...plain, ...differing]);
    const packed = packGraph(graph);
    expect(JSON.parse(packed.links)).toEqual(differing);
    expect(unpackGraph(packed)).toEqual(graph);
  });

  it("hold the contexts of entries that are not linked yet", () => {
    const graph = graphOf([link("r"), link("Not looked up."), link("Not looked up.")]);
    const [bar] = graph.bars;
    const entries = bar.entries.map((entry, at) => (at === 0 ? entry : { ...entry, unlinked: 100 * at }));
    const unlinked = { ...graph, bars: [{ ...bar, entries }] };
    expect(unpackGraph(packGraph(unlinked))).toEqual(unlinked);
  });

  it("looks at each link some times only, however many functions were not found", () => {
    let looks = 0;
    const counted = (reason: string) => ({
      places: [],
      rule: "unknown" as const,
      considered: [],
      get reason() {
        looks++;
        return reason;
      },
    });
    const count = 500;
    const links = Array.from({ length: count }, (_, at) => counted(`f${at}: not found.`));
    expect(JSON.parse(packGraph(graphOf([...links, ...links])).links)).toHaveLength(count);
    expect(looks).toBeLessThanOrEqual(4 * count);
  });
});
