import { expect, it, vi } from "vitest";
import { suggestedName } from "../../../../src/panels/kit/save";

vi.mock("vscode", () => ({}));

it.each([
  ["callgrind.out.22496", "callgrind.out.22496-super-graph.svg"],
  ["O3/callgrind.out.1", "O3-callgrind.out.1-super-graph.svg"],
  ["profile-8ranks.cali", "profile-8ranks-super-graph.svg"],
  ["a:b\\c", "a-b-c-super-graph.svg"],
  [undefined, "super-graph.svg"],
])("of %s the name %s is suggested", (recording, name) => {
  expect(suggestedName(recording, "super-graph", "svg")).toBe(name);
});
