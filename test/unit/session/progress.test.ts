import { beforeEach, describe, expect, it, vi } from "vitest";
import { CancelledError } from "../../../src/model/errors";
import { withCancellableProgress } from "../../../src/session/progress";

/** The notification that stands on the screen, with its button. */
interface Shown {
  readonly title: string;
  readonly reports: { message?: string; increment?: number }[];
  pressCancel(): void;
}

const screen = vi.hoisted(() => ({ shown: [] as Shown[] }));

vi.mock("vscode", async () => {
  const { standIn } = await import("./standInForVsCode");
  const known = standIn({ commands: [], trees: [], customEditors: [], messages: [] });
  const withProgress = (
    { title }: { title: string },
    run: (progress: unknown, token: unknown) => Promise<unknown>,
  ): Promise<unknown> => {
    const listeners: (() => void)[] = [];
    const reports: Shown["reports"] = [];
    screen.shown.push({ title, reports, pressCancel: () => listeners.forEach((listener) => listener()) });
    return run(
      { report: (step: Shown["reports"][number]) => reports.push(step) },
      { onCancellationRequested: (listener: () => void) => listeners.push(listener) },
    );
  };
  return { ...known, window: { withProgress } };
});

beforeEach(() => {
  screen.shown.length = 0;
  vi.useFakeTimers();
});

describe("work with progress", () => {
  it("ends when its button is pressed, and notifies work in another thread", async () => {
    let marked = false;
    const work = withCancellableProgress("Opening a.cali", async (task) => {
      task.onCancel?.(() => (marked = true));
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        task.progress(0.25, "rank 3");
      }
    });
    const ending = expect(work).rejects.toThrow(CancelledError);
    await vi.advanceTimersByTimeAsync(500);
    expect(screen.shown.map(({ title }) => title)).toEqual(["Opening a.cali"]);
    expect(screen.shown[0].reports[0]).toEqual({ message: "rank 3", increment: 25 });
    screen.shown[0].pressCancel();
    expect(marked).toBe(true);
    await vi.advanceTimersByTimeAsync(20);
    await ending;
  });

  it("never has a full bar: something may follow what was counted", async () => {
    const work = withCancellableProgress("Opening a.callgrind", async (task) => {
      for (const fraction of [0.5, 1, undefined, 0.2, 1]) {
        await new Promise((resolve) => setTimeout(resolve, 500));
        task.progress(fraction, "a.callgrind");
      }
    });
    await vi.advanceTimersByTimeAsync(3000);
    await work;
    const sums = screen.shown[0].reports.map(({ increment = 0 }) => increment);
    expect(sums.length).toBe(5);
    expect(sums.reduce((sum, one) => sum + one, 0)).toBeLessThan(100);
    for (const one of sums) expect(one).toBeGreaterThanOrEqual(0);
  });

  it("shows nothing where it is done at once", async () => {
    await expect(withCancellableProgress("Opening a.cali", async () => 7)).resolves.toBe(7);
    await vi.advanceTimersByTimeAsync(1000);
    expect(screen.shown).toEqual([]);
  });
});
