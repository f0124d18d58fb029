import { expect, it, vi } from "vitest";
import { FormatError } from "../../../../src/model/errors";
import { problemOf } from "../../../../src/panels/kit/problems";

it("a panel says what is wrong with a file, and what to do about it, once each", () => {
  const advice = "The file was damaged: copy it again.";
  const error = new FormatError({ file: "a.gz", at: { line: 3 }, found: "nothing", expected: "a record", advice });
  const problem = problemOf(error);
  expect(problem).toMatchObject({ message: "a.gz, line 3: found nothing; expected a record.", advice });
  // Whoever says all of it in one says no more and no less.
  expect(error.message).toBe(`${problem.message} ${problem.advice}`);
});

it("a panel knows errors of the other bundle, whose classes are other ones", async () => {
  vi.resetModules();
  const { CancelledError } = await import("../../../../src/model/errors");
  expect(problemOf(new CancelledError()).kind).toBe("cancelled");
});
