import { expect, it } from "vitest";
import type { SourceLink } from "../../../../src/engine/api";
import { lineFacts } from "../../../../src/panels/kit/lineFacts";

const link = (parts: Partial<SourceLink>): SourceLink => {
  return { places: [], rule: "unknown", reason: "", considered: [], ...parts };
};

it.each<[string, SourceLink | undefined, [string, string][]]>([
  ["a mark without a frame", undefined, [["line", "not known"]]],
  ["a frame without a reason", link({}), [["line", "not known"]]],
  ["a line", link({ places: [{ file: "/a.c", line: 1 }], reason: "It is there." }), []],
  ["calls in one place", link({ summary: "26 calls in CommSBN" }), []],
  [
    "another program",
    link({ reason: "Recorded from work.cu, which is not in these folders." }),
    [["line", "not known: recorded from work.cu, which is not in these folders"]],
  ],
  ["a name at the beginning", link({ reason: "MPI_Send is a call." }), [["line", "not known: MPI_Send is a call"]]],
])("details of %s", (_, of, facts) => expect(lineFacts(of)).toEqual(facts));
