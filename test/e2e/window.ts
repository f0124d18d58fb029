import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Frame, Locator, Page } from "playwright-core";
import { CodeServer } from "../host/codeServer.mjs";
import { installedExtension } from "../host/installed.mjs";
import { testBuiltIn, testSettings } from "../host/settings.mjs";
import { openWindow } from "../host/window.mjs";
import { copyMiniheat } from "../host/workspaces.mjs";
import { describeWindow } from "./describeWindow";
import { actsOnce, eventually, PATIENCE_MS } from "./eventually";
import { activations } from "./extensionLogs";

export interface WindowOptions {
  /** Restricted Mode, until the folder is trusted: a server of its own. */
  readonly restricted?: boolean;
  readonly viewport?: { width: number; height: number };
  /** Called with the copy of the sample program before the window opens on it. */
  readonly prepare?: (workspace: string) => void;
}

const usualViewport = { width: 1400, height: 900 };
/** How the page's console calls what the extension throws. */
const EXTENSION = "[heatflow.heatflow]";

/** The server and browser that all suites of this process use, one after the other. */
let shared: Window | undefined;

/** A window with the packaged extension installed, on a copy of the sample program. Every wait is for a state. */
export class Window {
  /** How often the extension has started in windows that are drawn. */
  private started = 0;

  private constructor(
    /** Changes with {@link restart}. */
    public page: Page,
    private readonly server: CodeServer,
    /** The copy of the sample program. */
    public workspace: string,
    private readonly folder: string,
  ) {
    page.on("console", (message) => {
      const text = message.text();
      if (message.type() === "error" && text.startsWith(EXTENSION)) this.unhandled.push(text);
    });
  }

  /** What the extension threw while nobody listened: whatever still looks right, something was not done. */
  private readonly unhandled: string[] = [];

  /**
   * A window for a suite. Where it has no settings of its own, server and browser are those of the suite before, and the window
   * opens a new folder: an extension host of its own, with nothing open and nothing kept.
   */
  static async open(options: WindowOptions = {}): Promise<Window> {
    if (options.restricted) return Window.start(options);
    if (!shared) {
      // Mocha ends the process that files ran in, and waits a second for it: what ends the server then is not to be cut off.
      process.once("SIGTERM", () => process.exit());
      return (shared = await Window.start(options));
    }
    try {
      await shared.openAnew(options);
    } catch (error) {
      await shared.describe();
      await shared.end();
      throw error;
    }
    return shared;
  }

  private static async start({
    restricted = false,
    viewport = usualViewport,
    prepare,
  }: WindowOptions): Promise<Window> {
    const folder = fs.mkdtempSync(path.join(process.env.HEATFLOW_E2E_FOLDER ?? assert.fail(), "window-"));
    const workspace = newWorkspace(folder, prepare);
    const trust = { "security.workspace.trust.enabled": restricted, "security.workspace.trust.startupPrompt": "never" };
    const server = new CodeServer({
      folder,
      settings: { ...testSettings, ...trust },
      installed: installedExtension(),
      builtIn: testBuiltIn,
      trustAll: !restricted,
    });
    try {
      await server.start();
      const { password } = server;
      const log = path.join(folder, "window.log");
      const { page } = await openWindow(server.address(workspace), { password, log, viewport });
      const window = new Window(takeOver(page), server, workspace, folder);
      await window.drawn();
      return window;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  private async openAnew({ viewport = usualViewport, prepare }: WindowOptions): Promise<void> {
    this.workspace = newWorkspace(this.folder, prepare);
    this.unhandled.length = 0;
    this.server.writeSettings();
    await this.page.mouse.move(0, 0);
    await this.page.setViewportSize(viewport);
    await this.page.goto(this.server.address(this.workspace));
    await this.drawn();
    // What the suite before has left would be seen here.
    const left = this.page.locator(
      ".tab, .notification-list-item, .quick-input-widget, .monaco-menu, .statusbar-item[id^='heatflow.']",
    );
    assert.deepEqual(await left.filter({ visible: true }).allInnerTexts(), [], "The window is not as new.");
    await this.page.locator(".explorer-folders-view [role=treeitem]").first().waitFor();
  }

  /** Says what the window shows, for a step that failed just now; a picture stays beside its logs. */
  async describe(): Promise<void> {
    console.log(await describeWindow(this.page, this.folder));
    await this.page.screenshot({ path: path.join(this.folder, "failed.png") }).catch(() => undefined);
  }

  /** Takes a step that is no test's: where it fails, what the window shows is said at once. */
  async between(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      await this.describe();
      throw error;
    }
  }

  /** Ends a suite: a window that others share stays open for them, unless a test of this one failed. */
  async close(failed = false): Promise<void> {
    const { unhandled } = this;
    if (failed || unhandled.length > 0 || this !== shared) await this.end();
    if (!failed) assert.deepEqual(unhandled, [], "The extension threw what nothing caught.");
  }

  private async end(): Promise<void> {
    if (this === shared) shared = undefined;
    await this.page.context().browser()?.close();
    await this.server.stop();
  }

  /** The command "Reload Window". */
  async reload(): Promise<void> {
    await Promise.all([this.page.waitForEvent("load"), this.command("Developer: Reload Window")]);
    await this.drawn();
  }

  /** Closes the window and ends the server, and starts both again. */
  async restart(whileClosed: () => void = () => undefined): Promise<void> {
    const context = this.page.context();
    // The browser keeps the window's state by address.
    const { port } = this.server;
    // Like a person who closes the tab: what is to be kept is written.
    await this.page.close({ runBeforeUnload: false });
    await this.server.stop();
    whileClosed();
    await this.server.start(port);
    this.page = takeOver(await context.newPage());
    await this.page.goto(this.server.address(this.workspace));
    await this.drawn();
  }

  /** Runs a command by its full title, such as "Heatflow: Show Super Graph". */
  async command(title: string): Promise<void> {
    const rows = this.quickInput.locator(".monaco-list-row");
    // Until the list is filtered, another command may come under the pointer: then the first row has all the words, too.
    const isFiltered = title
      .split(" ")
      .reduce((row, word) => row.filter({ hasText: word }), rows.and(this.page.locator('[data-index="0"]')));
    await this.focusRests();
    await this.page.keyboard.press("F1");
    await this.quickInput.locator("input[type=text]:focus").fill(`>${title}`);
    await isFiltered.waitFor();
    await rows.filter({ hasText: title }).first().click();
    await this.isTaken(`>${title}`);
  }

  /**
   * Waits until the focus has come to rest: it stays during ten frames of the screen. A panel or an editor that has just opened takes
   * it late, which closes menus and questions that were opened sooner.
   */
  async focusRests(): Promise<void> {
    await this.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          let [last, frames] = [document.activeElement, 0];
          const look = () => {
            frames = document.activeElement === last ? frames + 1 : 0;
            last = document.activeElement;
            if (frames === 10) resolve();
            else requestAnimationFrame(look);
          };
          look();
        }),
    );
  }

  /** Chooses an entry of a row's context menu. */
  async chooseFromMenu(row: Locator, entry: string): Promise<void> {
    const chosen = this.menuEntry(entry);
    await this.focusRests();
    await row.click({ button: "right" });
    // The menu's row, not one that has come to this place while the list was drawn anew.
    await row.and(this.page.locator(".focused")).waitFor();
    // By key: a menu that has only just opened takes a click for the end of the one that opened it, and a click on one that
    // has just closed would open what lies below it.
    await chosen.hover();
    await chosen.and(this.page.locator(".focused")).waitFor();
    await this.page.keyboard.press("Enter");
    await chosen.waitFor({ state: "hidden" });
  }

  /** Moves the pointer onto something, at the pace of a hand: while dragging only a pointer that moves counts as hovering. */
  async moveTo(target: Locator): Promise<void> {
    const box = await target.boundingBox();
    if (!box) throw new Error("What the pointer is to move to is not in sight.");
    await this.page.mouse.move(box.x + box.width / 2 - 3, box.y + box.height / 2, { steps: 10 });
    await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 });
  }

  /** Picks an entry of the list that a command shows. */
  async pick(text: string): Promise<void> {
    const row = this.quickInput.locator(".monaco-list-row").filter({ hasText: text }).first();
    await row.click();
    await row.waitFor({ state: "hidden" });
  }

  /** Closes every editor and panel, and waits until they are gone. */
  async closeAllEditors(): Promise<void> {
    await this.command("View: Close All Editors");
    await this.page.locator(".tab").first().waitFor({ state: "detached" });
  }

  get quickInput(): Locator {
    return this.page.locator(".quick-input-widget:visible");
  }

  /** An entry of the context menu that is open. */
  menuEntry(text: string): Locator {
    return this.page.locator(".monaco-menu .action-item").filter({ hasText: text }).first();
  }

  tab(name: string): Locator {
    return this.page.locator(`.tab[aria-label^="${name}"]`);
  }

  async closeTab(name: string): Promise<void> {
    await this.tab(name).getByRole("button", { name: "Close" }).click();
    await this.tab(name).waitFor({ state: "detached" });
  }

  notification(text: string | RegExp): Locator {
    return this.page.locator(".notification-list-item").filter({ hasText: text });
  }

  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator(".statusbar-item").filter({ hasText: text });
  }

  /** Takes a picture of the whole window. */
  async picture(file: string): Promise<void> {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    await this.page.screenshot({ path: file, animations: "disabled", caret: "hide" });
  }

  /** A webview's document, found by its title. */
  async webview(title: string | RegExp, withinMs = PATIENCE_MS): Promise<Frame> {
    const titles = new Set<string>();
    const deadline = Date.now() + withinMs;
    while (Date.now() < deadline) {
      // The extension's document is a frame in VS Code's own frame in the page.
      for (const frame of this.page.frames().filter((candidate) => candidate.url().includes("/fake.html?"))) {
        const found = await frame.title().catch(() => "");
        titles.add(found);
        if (typeof title === "string" ? found === title : title.test(found)) return frame;
      }
      await this.page.waitForTimeout(100);
    }
    throw new Error(`No webview is titled ${title}; there are: ${[...titles].join(", ")}.`);
  }

  /** An absolute path in the workspace. */
  file(relative: string): string {
    return path.join(this.workspace, relative);
  }

  /** Waits until the palette no longer asks: a click on a list that was drawn anew meanwhile is no choice. */
  private async isTaken(question: string): Promise<void> {
    const isAnswered = (asked: string) =>
      ![...document.querySelectorAll(".quick-input-widget")].some(
        (widget) =>
          widget.getClientRects().length > 0 &&
          widget.querySelector<HTMLInputElement>("input[type=text]")?.value === asked,
      );
    await this.page.waitForFunction(isAnswered, question);
  }

  private async drawn(): Promise<void> {
    await this.page.locator(".monaco-workbench").waitFor();
    // Of the Explorer, or of the views that were in front before.
    await this.page.locator(".part.sidebar .monaco-list-row").first().waitFor();
    // What the extension contributes is known: a menu or a palette that opens earlier stays without it.
    await this.page.locator('.activitybar [aria-label^="Heatflow"]').first().waitFor();
    // Its editor of recordings is known: until then a double click on one opens VS Code's own editor.
    await eventually(async () => assert.ok(activations(this.folder) > this.started, "The extension has not started."));
    this.started = activations(this.folder);
  }
}

/** A copy of the sample program in a folder of its own. */
function newWorkspace(folder: string, prepare?: (workspace: string) => void): string {
  const workspace = copyMiniheat(fs.mkdtempSync(path.join(folder, "workspace-")));
  prepare?.(workspace);
  return workspace;
}

function takeOver(page: Page): Page {
  for (const inputs of [page, page.keyboard, page.mouse, page.mainFrame(), page.locator("body")]) actsOnce(inputs);
  page.setDefaultTimeout(PATIENCE_MS);
  // VS Code asks whether the page is to be left while something is still at work; a person who reloads it says yes.
  page.on("dialog", (dialog) => void dialog.accept());
  return page;
}
