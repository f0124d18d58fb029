import { describe, expect, it } from "vitest";
import { reasonList, reasonsOfCall, reasonsOfLink } from "../../../src/editor/whyTexts";
import type { SourceLink } from "../../../src/engine/api";

const place = (file: string, line: number) => ({ file, line });
const link = (parts: Partial<SourceLink>): SourceLink => ({
  places: [],
  rule: "unknown",
  reason: "",
  considered: [],
  ...parts,
});

describe("why a link leads where it does", () => {
  it("is under the name of what is explained: the only one in the title, several in short", () => {
    const name = "sorting::BaseEngine::OffsetFiller::WriteNextOffset";
    const recorded = link({ places: [place("/w/a.h", 100)], rule: "recorded-line", reason: "The recording names it." });
    const one = reasonsOfLink(name, recorded);
    expect(reasonList("Why line 100?", one)).toEqual({ title: `Why line 100? ${name}`, rows: one.slice(1) });
    const two = [...one, ...reasonsOfLink("IsHandling", recorded)];
    const { title, rows } = reasonList("Why line 100?", two);
    expect(title).toBe("Why line 100?");
    expect(rows.flatMap(({ heading }) => heading ?? [])).toEqual(["sorting::BaseE…riteNextOffset", "IsHandling"]);
    expect(rows.filter(({ heading }) => heading === undefined)).toEqual([one[1], one[1]]);
    expect(reasonList("Why?", [])).toEqual({ title: "Why?", rows: [] });
  });

  it("is the rule and its reason, then what was not taken and why", () => {
    const overload = link({
      places: [place("/w/a.cpp", 38)],
      rule: "definition",
      reason: "axpy is defined here.",
      considered: [{ place: place("/w/a.cpp", 32), reason: "another number of parameters" }],
    });
    expect(reasonsOfLink("axpy", overload)).toEqual([
      { heading: "axpy", what: "", why: "" },
      { place: place("/w/a.cpp", 38), what: "definition by its name", why: "axpy is defined here." },
      { place: place("/w/a.cpp", 32), what: "not taken", why: "another number of parameters" },
    ]);
  });

  it("is every reason by which it stands there, and how many are not listed", () => {
    const here = place("/w/a.cpp", 34);
    const own = link({ places: [here], rule: "function-mark", reason: "It is marked here." });
    const header = (at: number) => link({ ...own, reason: `/usr/include/h${at}.h: it belongs to the system.` });
    const two = reasonsOfLink("apply", own, [header(1)]);
    expect(two.slice(1)).toEqual([
      { place: here, what: "function marked as a region", why: "It is marked here." },
      { place: here, what: "function marked as a region", why: "/usr/include/h1.h: it belongs to the system." },
    ]);
    const many = reasonsOfLink(
      "apply",
      own,
      Array.from({ length: 60 }, (_, at) => header(at)),
    );
    expect(many).toHaveLength(1 + 1 + 50 + 1);
    expect(many.at(-1)?.what).toBe("and 10 more");
  });

  it("is said too where there is no line", () => {
    const missing = link({ reason: "no language server gives symbols of Fortran files" });
    expect(reasonsOfLink("step", missing)[1]).toEqual({ what: "not known", why: missing.reason });
  });

  it("of a call has the call and the callee apart", () => {
    const definition = link({ places: [place("/w/s.cpp", 45), place("/w/t.cpp", 4)], rule: "function-mark" });
    const call = link({ places: [place("/w/m.cpp", 37)], rule: "call" });
    const reasons = reasonsOfCall({
      line: 37,
      callee: "solve",
      function: 1,
      inclusive: 1,
      share: 1,
      link: call,
      definition,
    });
    expect(reasons.map(({ what }) => what)).toEqual([
      "",
      "call: the call",
      "callee: function marked as a region, one of 2",
      "callee: function marked as a region, one of 2",
    ]);
  });

  it("is cut where thousands of places were considered", () => {
    const considered = Array.from({ length: 5000 }, (_, line) => ({ place: place("/w/a.cpp", line), reason: "x" }));
    expect(reasonsOfLink("apply", link({ considered })).length).toBeLessThan(60);
  });
});
