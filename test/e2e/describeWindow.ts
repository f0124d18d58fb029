import fs from "node:fs";
import path from "node:path";
import type { Frame, Page } from "playwright-core";
import { extensionLogs } from "./extensionLogs";

/** A window that does not answer is not waited for: it is failing as it is. */
const ANSWER_MS = 3000;
const LOG_LINES = 20;

/**
 * What a window shows and what its logs say last, to be printed where a test failed. Never throws.
 *
 * @param folder of the run, with the logs
 */
export async function describeWindow(page: Page, folder: string): Promise<string> {
  const frames = page.frames().filter((frame) => frame.url().includes("/fake.html?"));
  const [workbench, ...webviews] = await Promise.all([
    answered(() => page.evaluate(workbenchText)),
    ...frames.map((frame) => answered(() => webviewText(frame))),
  ]);
  const extensionLog = extensionLogs(folder).at(-1);
  return [
    `The window when a test failed (${folder}):`,
    workbench,
    ...webviews,
    ...lastLines("console", path.join(folder, "window.log")),
    ...(extensionLog ? lastLines("extension", extensionLog) : []),
  ].join("\n");
}

async function answered(ask: () => Promise<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => (timer = setTimeout(() => resolve("  no answer"), ANSWER_MS)));
  return Promise.race([ask().catch((error) => `  ${String(error)}`), late]).finally(() => clearTimeout(timer));
}

/** Runs in the window. */
function workbenchText(): string {
  const textsOf = (selector: string) => [...document.querySelectorAll(selector)].map(textOf);
  const textOf = (element: Element) => (element.textContent ?? "").replaceAll(/\s+/g, " ").trim();
  const groups = [...document.querySelectorAll(".editor-group-container")].map((group) => {
    const tabs = [...group.querySelectorAll(".tab")].map((tab) => {
      const name = tab.getAttribute("aria-label") ?? "";
      return tab.classList.contains("active") ? `[${name}]` : name;
    });
    return `  group${group.classList.contains("active") ? ", active" : ""}: ${tabs.join(" | ")}`;
  });
  const focused = document.activeElement;
  const label = focused?.getAttribute("aria-label") ?? focused?.getAttribute("title") ?? "";
  return [
    ...groups,
    `  status bar: ${textsOf(".statusbar-item").filter(Boolean).join(" | ")}`,
    `  notifications: ${textsOf(".notification-list-item").join(" | ")}`,
    `  quick input: ${textsOf(".quick-input-widget:not([style*='display: none'])").join(" | ").slice(0, 300)}`,
    `  focus: ${focused?.tagName} ${focused?.className} ${label}`,
  ].join("\n");
}

async function webviewText(frame: Frame): Promise<string> {
  const outer = await frame.parentFrame()?.frameElement();
  const shown = (await outer?.isVisible()) === true ? "visible" : "hidden";
  return `  webview, ${shown}: ${await frame.evaluate(pageText)}`;
}

/** Runs in a webview. */
function pageText(): string {
  const text = document.body.innerText.replaceAll(/\s+/g, " ").trim().slice(0, 300);
  const loaded = performance
    .getEntriesByType("resource")
    .map((entry) => `${entry.name.split("/").at(-1)} ${(entry as PerformanceResourceTiming).responseStatus}`);
  const bars = document.querySelectorAll(".drawing [data-mark]").length;
  const active = document.activeElement;
  const focus = `${active?.tagName ?? "nothing"} ${active?.getAttribute("aria-label")?.slice(0, 60) ?? ""}`;
  return [
    `${document.title}, ${innerWidth} x ${innerHeight}, ${bars} marks, loaded: ${loaded.join(", ")}`,
    `    focus: ${focus}${document.hasFocus() ? ", of the window" : ""}`,
    `    ${text}`,
  ].join("\n");
}

function lastLines(of: string, file: string): string[] {
  try {
    // What VS Code logs of its own doings would leave no line for what went wrong.
    const lines = fs
      .readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("log: %c INFO"));
    return lines.slice(-LOG_LINES).map((line) => `  ${of}: ${line.slice(0, 500)}`);
  } catch {
    return [];
  }
}
