import type * as vscode from "vscode";
import { describe, expect, it, vi } from "vitest";
import { CancelledError } from "../../../src/model/errors";
import { Latest, taskOfToken } from "../../../src/session/latest";

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("./standInForVsCode");
  return standIn(heardNothing());
});

describe("latest wins", () => {
  it("cancels older work and drops its answer, also one that comes late", async () => {
    const latest = new Latest();
    let finish: (value: string) => void = () => undefined;
    let olderToken: vscode.CancellationToken | undefined;
    const older = latest.run((token) => {
      olderToken = token;
      return new Promise<string>((resolve) => (finish = resolve));
    });
    const newer = latest.run(() => Promise.resolve("newer"));
    expect(olderToken?.isCancellationRequested).toBe(true);
    finish("older");
    expect(await Promise.all([older, newer])).toEqual([undefined, "newer"]);
  });

  it("takes a cancelled end for none, and passes on any other failure of the newest", async () => {
    const latest = new Latest();
    expect(await latest.run(() => Promise.reject(new CancelledError()))).toBeUndefined();
    await expect(latest.run(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    const older = latest.run(
      (token) => new Promise((_, reject) => token.onCancellationRequested(() => reject(new Error("x")))),
    );
    latest.cancel();
    expect(await older).toBeUndefined();
  });

  it("ends tasks, and notifies them at once", async () => {
    const latest = new Latest();
    const heard: string[] = [];
    await latest.run(async (token) => {
      const task = taskOfToken(token, (fraction, message) => heard.push(`${fraction} ${message}`));
      task.onCancel?.(() => heard.push("cancelled"));
      task.progress(0.5, "half");
      latest.cancel();
      expect(() => task.check()).toThrow(CancelledError);
      expect(() => task.progress(0.6)).toThrow(CancelledError);
    });
    expect(heard).toEqual(["0.5 half", "cancelled"]);
  });
});
