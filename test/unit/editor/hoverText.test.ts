import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LineCall, LineDetails } from "../../../src/engine/api";
import { lineDecorations } from "../../../src/editor/heat";
import { hoverText } from "../../../src/editor/hoverText";
import { lensTitle } from "../../../src/editor/lensTexts";
import { commandLink, hoverCommands, plain } from "../../../src/editor/markdown";

const where = {
  dataSet: 2,
  dataSetName: "profile.cali",
  metric: "time",
  unit: "s",
  over: "mean over 8 ranks",
  estimated: false,
  line: 34,
};

function details(parts: Partial<LineDetails> = {}): LineDetails {
  return {
    line: 34,
    name: "updateConductivity",
    function: 5,
    exclusive: 1.24,
    inclusive: 2.4,
    share: 0.31,
    contexts: [{ context: 9, path: ["main", "timestep", "updateConductivity"], exclusive: 1.24, inclusive: 2.4 }],
    moreContexts: 0,
    link: {
      places: [{ file: "/w/src/physics.cpp", line: 34 }],
      rule: "function-mark",
      reason: "The function carries a mark.",
      considered: [],
    },
    ...parts,
  };
}

/** Markdown as a reader sees it: escapes undone, links by their text, spaces that keep lines together as spaces. */
function read(markdown: string): string {
  return markdown
    .replace(/\[((?:\\.|[^\]\\])*)\]\(command:[^)]*\)/g, "$1")
    .replace(/\*\*/g, "")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replaceAll("\u00a0", " ")
    .replaceAll("&nbsp;", "");
}

describe("the hover of a line", () => {
  it("says that contexts are exclusive where what the line calls is in none of them", () => {
    const contexts = [{ context: 9, path: ["main", "propagate"], exclusive: 4.14, inclusive: 4.14 }];
    const text = read(hoverText([details({ exclusive: 4.14, inclusive: 43.3, contexts })], where));
    expect(text).toContain("inclusive 43.3 s · exclusive 4.14 s");
    expect(text).toContain("Calling contexts, exclusive:");
  });

  it("says inclusive, exclusive, ranks with the slowest, imbalance, contexts, and why", () => {
    const overRanks = {
      ...({ by: "rank", members: 8, slowest: "4" } as const),
      minimum: 0.9,
      mean: 1.24,
      maximum: 2.3,
      imbalance: 1.855,
    };
    const text = read(hoverText([details({ overRanks, imbalance: 1.5 })], where));
    expect(text).toContain("Heatflow · time · mean over 8 ranks · profile.cali");
    expect(text).toContain("inclusive 2.40 s · exclusive 1.24 s (31.0 %)");
    expect(text).toContain("Exclusive over 8 ranks: min 900 ms · mean 1.24 s · max 2.30 s on rank 4\n");
    // The line's values are exclusive, the imbalance is not of them (semantics 1).
    expect(text).toContain("Imbalance 1.50× (of the function's inclusive, largest / mean)");
    expect(read(hoverText([details({ overRanks })], where))).not.toContain("mbalance");
    // Numbers stand below each other, at the right of their column.
    expect(text).toContain("Calling contexts, inclusive:\n\n|  |  |\n| ---: | :--- |\n");
    expect(text).toContain("| 2.40 s | main › timestep › updateConductivity |");
    expect(text).toContain("Why this line: The function carries a mark.");
    expect(text).toContain("Super Graph · Calling Contexts · Why Here?");
  });

  it("parts no number from its unit, and no rank from its number", () => {
    const overRanks = {
      ...({ by: "rank", members: 8, slowest: "4" } as const),
      minimum: 0.9,
      mean: 1.24,
      maximum: 2.3,
      imbalance: 1.855,
    };
    const costs = [{ line: 34, exclusive: 2.5, share: 0.382 }];
    const text = hoverText([details({ overRanks })], { ...where, costs }).replaceAll("\\", "");
    expect(text).toMatch(/\d\u00a0s/);
    expect(text).not.toMatch(/\d (s|ms|µs|%)|on rank /);
  });

  it("says of which of two recordings that are compared it is", () => {
    const header = (side: "baseline" | "candidate") => read(hoverText([details()], { ...where, side })).split("\n")[0];
    expect(header("candidate")).toBe("Heatflow · time · mean over 8 ranks · of the candidate alone, profile.cali");
    expect(header("baseline")).toContain("of the baseline alone");
  });

  it("begins with the line's own cost, where that is no single function's", () => {
    const several = Array.from({ length: 17 }, (_, at) => details({ name: `f${at}`, exclusive: 0.1 * (at + 1) }));
    const costs = [{ line: 34, exclusive: 15.3, share: 0.382 }];
    const text = read(hoverText(several, { ...where, costs }));
    expect(text).toContain(
      "profile.cali\n\n---\n\nThis line: 15.3 s · 38.2 %, exclusive, in 17 functions\n\n---\n\nf0",
    );
    const single = { ...where, costs: [{ line: 34, exclusive: 1.24, share: 0.31 }] };
    expect(read(hoverText([details()], single))).not.toContain("This line");
  });

  it("gives recorded extremes where ranks were reduced before", () => {
    const text = read(hoverText([details({ recordedMinimum: 0.5, recordedMaximum: 2 })], where));
    expect(text).toContain("Recorded over ranks: min 500 ms · max 2.00 s");
  });

  it("cuts long lists and long paths, and says so", () => {
    const path = Array.from({ length: 40 }, (_, at) => `f${at}`);
    const contexts = Array.from({ length: 9 }, (_, context) => ({ context, path, exclusive: 1, inclusive: 1 }));
    const text = read(hoverText([details({ contexts, moreContexts: 100 })], where));
    expect(text).toContain("… › f34 › f35 › f36 › f37 › f38 › f39");
    expect(text).toContain("\n\n104 more");
    expect(
      read(
        hoverText(
          Array.from({ length: 5 }, () => details()),
          where,
        ),
      ),
    ).toContain("2 more functions on this line");
  });

  it("says which contexts are estimated, and nothing of ranks where there are none", () => {
    const text = read(hoverText([details()], { ...where, metric: "Ir", unit: "Ir", over: "", estimated: true }));
    expect(text).toContain("Calling contexts, inclusive, estimated from a call graph:");
    expect(text).toContain("Heatflow · Ir · profile.cali");
    expect(text).toContain("exclusive 1.24 Ir");
    expect(read(hoverText([details()], where))).not.toContain("estimated");
  });

  it("says of an inclusive cost that is a bound that it is one", () => {
    expect(read(hoverText([{ ...details(), atMost: true }], where))).toMatch(/inclusive at most \S/);
    expect(read(hoverText([details()], where))).not.toContain("at most");
  });

  it("says that a place is one of several", () => {
    const { link } = details();
    const places = [...link.places, { file: "/w/src/other.cpp", line: 1 }];
    expect(hoverText([details({ link: { ...link, places } })], where)).toContain("(one of 2 places)");
  });
});

describe("the hover of a line that calls", () => {
  const link = {
    places: [{ file: "/w/src/main.cpp", line: 37 }],
    rule: "call",
    reason: "The only call.",
    considered: [],
  } as const;
  const call: LineCall = {
    line: 37,
    callee: "solve",
    function: 7,
    inclusive: 2.4,
    share: 0.6,
    link,
    definition: { ...link, places: [{ file: "/w/src/solver.cpp", line: 45 }], rule: "definition" },
  };

  it("says what is called, what it costs and where it leads, and nothing of a cost of its own", () => {
    const text = read(hoverText([], where, [call]));
    expect(text).toContain("Called from this line, inclusive:\n\n|  |  |  |\n| ---: | ---: | :--- |\n");
    expect(text).toContain("| 2.40 s | 60.0 % | solve: defined at solver.cpp:45 |");
    expect(text).not.toContain("exclusive");
    expect(commandsIn(hoverText([], where, [call]))).toEqual(["heatflow.showSuperGraph", "heatflow.whyHere"]);
  });

  it("offers all places, and says what is not here and what is left out", () => {
    const places = [...call.definition.places, { file: "/w/src/solver.cpp", line: 60 }];
    const several = { ...call, definition: { ...call.definition, places } };
    expect(read(hoverText([], where, [several]))).toContain("defined at solver.cpp:45 or solver.cpp:60");
    const elsewhere = { ...call, callee: "exp", definition: { ...link, places: [], rule: "unknown" as const } };
    expect(read(hoverText([], where, [elsewhere]))).toContain("exp: not in the folders");
    expect(
      read(
        hoverText(
          [details()],
          where,
          Array.from({ length: 9 }, () => call),
        ),
      ),
    ).toContain("\n\n4 more");
  });

  it("keeps hostile names text", () => {
    const hostile = "](command:x) <img src=x> # h | i";
    const definition = { ...call.definition, places: [{ file: `/w/${hostile}`, line: 1 }] };
    const markdown = hoverText([], where, [{ ...call, callee: hostile, definition }]);
    expect(commandsIn(markdown)).toEqual(["heatflow.showSuperGraph", "heatflow.whyHere"]);
    // It ends no cell of the table.
    for (const row of markdown.split("\n").filter((line) => line.startsWith("|")))
      expect(row.match(/(?<!\\)\|/g)).toHaveLength(4);
    expect(markdown).not.toMatch(/(^|[^\\])</);
  });
});

describe("names of 100,000 characters", () => {
  const name = `begin${"x".repeat(100_000)}end`;
  const path = Array.from({ length: 100_000 }, () => name);

  it("are shown by their two ends in a hover, and so is a reason that holds them", () => {
    const link = { ...details().link, reason: `${name} is defined here.` };
    const contexts = details().contexts.map((one) => ({ ...one, path }));
    const text = hoverText([details({ name, link, contexts })], where);
    expect(text.length).toBeLessThan(5000);
    expect(text).toMatch(/begin.*end/);
  });

  it("are shown by their two ends in CodeLenses and behind lines", () => {
    const cost = { line: 1, name, function: 1, inclusive: 1, exclusive: 1, share: 0.5 };
    expect(lensTitle(cost, "s", "sum", false)).toMatch(/ \(50\.0 %\) · begin.{100,250}end · /);
    const call = { line: 1, callee: name, function: 0, inclusive: 1, share: 0.5 };
    const drift = { newerThanRecording: false, lostLines: 0, movedLines: 0 };
    const costs = { lines: [], calls: [call], functions: [], drift };
    const [line] = lineDecorations(costs, { unit: "s", minimumShare: 0, inlineCost: true });
    expect(line.text).toMatch(/^→ begin.{20,60}end 1/);
  });
});

describe("text out of files in a CodeLens", () => {
  it("makes no pictures", () => {
    const cost = { line: 1, name: "$(error) f", function: 1, inclusive: 1, exclusive: 1, share: 0.5 };
    expect(lensTitle(cost, "s", "sum", false)).toMatch(/ · \\\$\(error\) f · /);
  });
});

describe("text out of files in a hover", () => {
  const hostile = "](command:workbench.action.terminal.new) <img src=x onerror=1> **b** `c` $(flame) http://x.y\n# h";

  it("stays text, wherever it stands", () => {
    const { link } = details();
    const markdown = hoverText(
      [
        details({
          name: hostile,
          contexts: [{ context: 1, path: [hostile], exclusive: 1, inclusive: 1 }],
          link: { ...link, reason: hostile },
        }),
      ],
      { ...where, metric: hostile, dataSetName: hostile, over: hostile },
    );
    expect(commandsIn(markdown)).toEqual([
      "heatflow.revealContext",
      "heatflow.showSuperGraph",
      "heatflow.revealContext",
      "heatflow.whyHere",
    ]);
    expect(markdown).not.toMatch(/(^|[^\\])</);
    expect(markdown).not.toMatch(/(^|[^\\])\$\(/);
  });

  it("has every character with a meaning escaped, and reads the same", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const escaped = plain(text);
        expect(escaped.replace(/\\[!-/:-@[-`{-~]/g, "")).not.toMatch(/[!-/:-@[-`{-~]/);
        expect(escaped.replace(/\\([!-/:-@[-`{-~])/g, "$1")).toBe(text.replace(/\s+/g, " "));
      }),
    );
  });

  it("reaches no command: links carry numbers only", () => {
    const link = commandLink("x", "heatflow.whyHere", { line: 3 });
    expect(link).toBe("[x](command:heatflow.whyHere?%5B%7B%22line%22%3A3%7D%5D)");
    expect(hoverCommands.every((command) => command.startsWith("heatflow."))).toBe(true);
  });
});

/** Commands of unescaped links. */
function commandsIn(markdown: string): string[] {
  return [...markdown.replace(/\\./g, "").matchAll(/\]\(command:([\w.]+)/g)].map(([, command]) => command);
}
