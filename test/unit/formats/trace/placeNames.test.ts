import { expect, test } from "vitest";
import { threadName } from "../../../../src/formats/trace/placeNames";

test("a thread that is named after its process is not called after it twice", () => {
  expect(threadName("rank 3", "worker 2")).toBe("rank 3, worker 2");
  for (const name of ["rank 3 main", "Rank 3 main", "rank 3", "rank 3: main", "rank 3-main"])
    expect(threadName("rank 3", name)).toBe(name);
  // Others begin alike.
  for (const name of ["rank 30 main", "rank 3rd", "", "rank"])
    expect(threadName("rank 3", name)).toBe(`rank 3, ${name}`);
  expect(threadName("solver (4711)", "solver main (4712)", "solver")).toBe("solver main (4712)");
  expect(threadName("process 1", "thread 2", "")).toBe("process 1, thread 2");
});
