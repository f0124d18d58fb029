import fs from "node:fs";
import path from "node:path";
import type { Window } from "./window";

/** A build takes what compilers take, beside everything else that runs: a minute of a core where the tracker is compiled with it. */
export const BUILD_MS = 420_000;

/** What a run has left in its folder. */
export interface KeptRun {
  readonly folder: string;
  /** Names of its recordings. */
  readonly recordings: readonly string[];
}

/** Traced builds as a person starts them. */
export class TracedBuild {
  constructor(private readonly window: Window) {}

  /** Answers all that a new traced build asks, by the palette alone. */
  async start(
    tool: string,
    answers: readonly (readonly [prompt: string, typed: string])[],
    isFirst: boolean,
  ): Promise<void> {
    await this.window.command("Heatflow: Run Traced Build");
    if (!isFirst) await this.window.pick("New Traced Build");
    await this.window.pick(tool);
    for (const [prompt, typed] of answers) await this.answer(prompt, typed);
  }

  /** Starts a task that tasks.json has. */
  async run(label: string): Promise<void> {
    await this.window.command("Heatflow: Run Traced Build");
    await this.window.pick(label);
  }

  /** Waits until the terminal has a text. @returns all of its lines that are in sight */
  async said(text: RegExp): Promise<string[]> {
    const rows = this.window.page.locator(".terminal-wrapper.active .xterm-rows > div");
    await rows.filter({ hasText: text }).first().waitFor({ timeout: BUILD_MS });
    return (await rows.allInnerTexts()).map((row) => row.replaceAll("\u00a0", " ").trimEnd());
  }

  /** Runs of the workspace that have ended, oldest first. */
  runs(): KeptRun[] {
    const folder = this.window.file(".heatflow/runs");
    if (!fs.existsSync(folder)) return [];
    return fs
      .readdirSync(folder)
      .sort()
      .map((name) => path.join(folder, name))
      .filter((run) => fs.existsSync(path.join(run, "traced-run.json")))
      .map((run) => ({ folder: run, recordings: fs.readdirSync(run).filter((name) => name !== "traced-run.json") }));
  }

  private async answer(prompt: string, typed: string): Promise<void> {
    const { quickInput, page } = this.window;
    const asked = quickInput.filter({ hasText: prompt });
    await asked.waitFor();
    await quickInput.locator("input[type=text]:focus").fill(typed);
    await page.keyboard.press("Enter");
    await asked.waitFor({ state: "hidden" });
  }
}
