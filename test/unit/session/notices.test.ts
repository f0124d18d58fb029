import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { notices } from "../../../src/session/notices";
import { withCancellableProgress } from "../../../src/session/progress";

const shown = vi.hoisted(() => [] as unknown[][]);

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("./standInForVsCode");
  const show = async (...given: unknown[]) => void shown.push(given);
  return {
    ...standIn(heardNothing()),
    ProgressLocation: { Notification: 15 },
    window: {
      showInformationMessage: show,
      showWarningMessage: show,
      showErrorMessage: show,
      withProgress: async ({ title }: { title: string }, run: (progress: object, token: object) => Promise<void>) => {
        shown.push([title]);
        await run(
          { report: ({ message }: { message?: string }) => shown.push([message]) },
          { onCancellationRequested: () => undefined },
        );
      },
    },
  };
});

/** Names that VS Code would show as links: it looks for brackets, and for parentheses right behind them. */
const HOSTILE = [
  "[Fix](command:workbench.action.terminal.new)",
  "a](command:x)",
  "[x](https://e.org) [y](file:///etc/passwd)",
];
const LINK = /\]\((?:https?:|command:|file:)/;

describe("messages of the window", () => {
  beforeEach(() => void (shown.length = 0));

  it.each(Object.keys(notices) as (keyof typeof notices)[])("have no links out of names: %s", async (say) => {
    for (const name of HOSTILE) await notices[say](`${name} was not found.`, { modal: true }, "Locate…");
    expect(shown).toHaveLength(HOSTILE.length);
    for (const [message, options, button] of shown) {
      expect(message).not.toMatch(LINK);
      expect(message).toMatch(/ was not found\.$/);
      expect([options, button]).toEqual([{ modal: true }, "Locate…"]);
    }
  });

  it("have none in progress, either", async () => {
    vi.useFakeTimers();
    try {
      const running = withCancellableProgress(`Opening ${HOSTILE[0]}`, async ({ progress }) => {
        await vi.advanceTimersByTimeAsync(1000);
        progress(0.5, HOSTILE[1]);
      });
      await running;
    } finally {
      vi.useRealTimers();
    }
    expect(shown.length).toBeGreaterThan(1);
    for (const [text] of shown) expect(text).not.toMatch(LINK);
  });

  it("go this way alone", () => {
    const files = (fs.readdirSync("src", { recursive: true }) as string[]).filter((name) => name.endsWith(".ts"));
    expect(files.length).toBeGreaterThan(400);
    const direct = files.filter((name) =>
      /window\s*\.\s*show(?:Information|Warning|Error)Message|window\[/.test(
        fs.readFileSync(path.join("src", name), "utf8"),
      ),
    );
    expect(direct).toEqual(["session/notices.ts"]);
  });
});
