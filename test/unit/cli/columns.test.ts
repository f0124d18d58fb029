import { expect, it } from "vitest";
import { columns } from "../../../src/cli/openData";

const rows = [
  ["function", "exclusive"],
  [`voro::${"x".repeat(80)}::nplane`, "88.9 M"],
  ["main", "1"],
];

it("names are cut for a terminal, so that no row wraps, and whole where there is none", () => {
  expect(columns(rows).some((line) => line.includes(rows[1][0]))).toBe(true);
  const cut = columns(rows, 60);
  for (const line of cut) expect(line.length).toBeLessThanOrEqual(60);
  expect(cut[1]).toMatch(/^voro::x+…x+::nplane {2} +88\.9 M$/);
});

it("names keep enough to be read in the narrowest terminal", () => {
  expect(columns(rows, 10)[1].split("  ")[0]).toHaveLength(20);
});
