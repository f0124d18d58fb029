import { describe, expect, it } from "vitest";
import { CancelledError } from "../../../../src/model/errors";
import { Latest } from "../../../../src/panels/kit/latest";

describe("work of which only the newest is wanted", () => {
  it("cancels the run before, and marks it as superseded", () => {
    const latest = new Latest();
    const first = latest.start();
    let heard = 0;
    first.task.onCancel?.(() => heard++);
    first.task.check();
    const second = latest.start();
    expect(heard).toBe(1);
    expect(first.superseded).toBe(true);
    expect(() => first.task.check()).toThrow(CancelledError);
    second.task.check();
    expect(second.superseded).toBe(false);
  });

  it("cancels what is handed on only after it was overtaken", () => {
    const latest = new Latest();
    const first = latest.start();
    latest.start();
    let heard = 0;
    first.task.onCancel?.(() => heard++);
    expect(heard).toBe(1);
  });

  it("cancels the newest run for the user without superseding it", () => {
    const latest = new Latest();
    const run = latest.start();
    latest.cancel();
    expect(run.superseded).toBe(false);
    expect(() => run.task.progress(0.5)).toThrow(CancelledError);
  });

  it("is abandoned without a cancellation by the user", () => {
    const latest = new Latest();
    const run = latest.start();
    latest.abandon();
    expect(run.superseded).toBe(true);
    expect(() => run.task.check()).toThrow(CancelledError);
  });

  it("passes progress on while it is wanted", () => {
    const seen: unknown[] = [];
    const latest = new Latest();
    latest.start((...progress) => seen.push(progress)).task.progress(0.5, "half");
    expect(seen).toEqual([[0.5, "half"]]);
  });
});
