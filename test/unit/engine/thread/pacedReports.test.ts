import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PacedReports } from "../../../../src/engine/thread/pacedReports";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

function reports() {
  const sent: unknown[] = [];
  return { sent, paced: new PacedReports(50, (...report) => sent.push(report)) };
}

it("the last report of a time comes when it is over, also if no other follows", () => {
  const { sent, paced } = reports();
  paced.report(0.1, "a");
  paced.report(undefined, "looking for the program");
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(49);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual([[undefined, "looking for the program"]]);
  vi.advanceTimersByTime(1000);
  expect(sent).toHaveLength(1);
});

it("busy work reports by itself, no more than once in a time, though no timer can fire", () => {
  const { sent, paced } = reports();
  const began = performance.now();
  for (let at = 1; at <= 100; at++) {
    vi.spyOn(performance, "now").mockReturnValue(began + 10 * at);
    paced.report(at / 100, undefined);
  }
  vi.restoreAllMocks();
  expect(sent).toHaveLength(20);
  paced.end();
});

it("nothing comes after the work has ended", () => {
  const { sent, paced } = reports();
  paced.report(0.5, "a");
  paced.end();
  vi.advanceTimersByTime(1000);
  expect(sent).toEqual([]);
});
