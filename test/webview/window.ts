/**
 * A panel's page as VS Code shows it, in a browser of its own: the real HTML with its policy, the real script and style
 * sheet, VS Code's variables of four themes (read from a real webview), and an extension host that only writes down.
 */
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import type { AddressInfo } from "node:net";
import { build, type OutputFile } from "esbuild";
import { type Browser, chromium, type Disposable, type Locator, type Page } from "playwright-core";
import type * as vscode from "vscode";
import { isFull, seed } from "../unit/randomCases";
import { findChromium } from "../host/chromium.mjs";
import { pageHtml } from "../../src/panels/kit/page";
import manifest from "../../package.json";
import { exposeDefinition } from "./kit/golden/exposed";
import { measureByLength } from "./kit/golden/measureByLength";
import { uriOf } from "./fakeVsCode";
import themes from "./themes.json";

export type ThemeName = keyof typeof themes;
export const themeNames = Object.keys(themes) as ThemeName[];

/** Pictures are for people: in the full run, with HEATFLOW_PICTURES, and where a test is asked for by its title (vitest.config.mts). */
export const arePicturesWanted = isFull || Boolean(process.env.HEATFLOW_PICTURES);

/** Themes of what must look right in each: one of them, another each run, unless pictures are wanted. */
export const seenThemes = arePicturesWanted
  ? themeNames
  : themeNames.filter((_, at) => at === seed % themeNames.length);

/**
 * Themes that axe-core reads a page in: a dark and a light one, one of high contrast, the other two for the next page and in the next run;
 * all in the full run.
 *
 * @param page its name
 */
export function readThemes(page: string): readonly ThemeName[] {
  if (arePicturesWanted) return themeNames;
  return (page.length + seed) % 2 === 0 ? ["dark", "hcLight"] : ["hcDark", "light"];
}
const contributed = { dark: "dark", light: "light", hcDark: "highContrast", hcLight: "highContrastLight" } as const;

/** A message of a page. */
export interface Sent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A page and what it sent. */
export interface PanelPage {
  readonly page: Page;
  /** Sends what the host would send. */
  send(message: unknown): Promise<void>;
  /**
   * The same in two steps: the message is brought to the page now, and sent when the function that is returned is called. To bring it there
   * takes a test as long as it takes the page to draw.
   */
  hold(message: unknown): Promise<() => Promise<void>>;
  /** What the page posted since it was last asked. */
  sent(): Promise<Sent[]>;
  /** What the page kept for a reload. */
  kept(): Promise<unknown>;
  /** People choose another theme while the panel is open. */
  wear(theme: ThemeName): Promise<void>;
}

export interface OpenOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly kept?: unknown;
  readonly reducedMotion?: boolean;
  /** As long as neither script nor style sheet has come. */
  readonly withoutScript?: boolean;
  /** Texts have a width by their length, whatever fonts there are. */
  readonly plainWidths?: boolean;
}

/** Scripts and style sheets, and an answer to those who ask for them that never comes. */
const BUILT = /\.(js|css)$/;
const neverComes = () => undefined;

/** Test files that run one after the other in one process share its browser, and what was bundled. It ends with the process. */
let browser: Promise<Browser> | undefined;
const bundles = new Map<string, Promise<readonly OutputFile[]>>();

async function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("No Chromium: install one, or set HEATFLOW_CHROMIUM to its path.");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

/** Script and style sheet of a panel. */
function bundleOf(panel: string, entry: string): Promise<readonly OutputFile[]> {
  const known = bundles.get(entry);
  if (known) return known;
  const bundled = build({
    entryPoints: { [panel]: entry },
    bundle: true,
    write: false,
    outdir: "/dist/webviews",
    platform: "browser",
    format: "iife",
    target: "es2022",
    loader: { ".svg": "text" },
    plugins: [exposeDefinition()],
    minify: true,
  }).then(({ outputFiles }) => outputFiles);
  bundles.set(entry, bundled);
  return bundled;
}

/**
 * Serves one panel and opens pages of it, one at a time. Each is loaded anew into the browser's window of the one before: to
 * open a window takes four times as much computing as to load a page.
 */
export class PanelWindow {
  private page: Page | undefined;
  private vsCode: Disposable | undefined;
  private widths: Disposable | undefined;
  private problems: string[] = [];

  private constructor(
    private readonly server: http.Server,
    private readonly browser: Browser,
    private readonly address: string,
  ) {}

  /** @param panel folder under webviews/; @param entry the script of a page that is none of these */
  static async start(panel: string, title: string, entry = `webviews/${panel}/main.ts`): Promise<PanelWindow> {
    const outputFiles = await bundleOf(panel, entry);
    const server = http.createServer((request, response) => {
      const origin = `http://${request.headers.host}`;
      const file = outputFiles.find((output) => output.path === request.url);
      if (request.url === "/") {
        response.setHeader("content-type", "text/html");
        response.end(pageHtml(webviewAt(origin), uriOf("/"), panel, title));
      } else if (file) {
        response.setHeader("content-type", file.path.endsWith(".css") ? "text/css" : "text/javascript");
        // The browser then compiles a script once, not once a page: a third less computing to load one.
        response.setHeader("cache-control", "max-age=3600");
        response.end(file.contents);
      } else {
        response.statusCode = request.url === "/favicon.ico" ? 204 : 404;
        response.end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return new PanelWindow(server, await (browser ??= launch()), `http://127.0.0.1:${port}/`);
  }

  /** Opens the panel; the page that was open before is closed. */
  async open(options: OpenOptions = {}): Promise<PanelPage> {
    const { theme = "dark", width = 1400, height = 760 } = options;
    const page = (this.page ??= await this.newPage());
    // A pointer that rests where the test before left it would be over something.
    await page.mouse.move(0, 0);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ reducedMotion: options.reducedMotion ? "reduce" : "no-preference" });
    await this.vsCode?.dispose();
    await this.widths?.dispose();
    this.widths = options.plainWidths ? await page.addInitScript(measureByLength) : undefined;
    this.vsCode = await page.addInitScript(playVsCode, { dress: dressOf(theme), kept: options.kept });
    // What a test has routed itself stays.
    await page.unroute(BUILT, neverComes);
    if (options.withoutScript) await page.route(BUILT, neverComes);
    await page.goto(this.address, options.withoutScript ? { waitUntil: "commit" } : {});
    return {
      page,
      send: async (message) => void (await page.evaluate(postMessage, { text: packed(message), isHeld: false })),
      hold: async (message) => {
        const at = await page.evaluate(postMessage, { text: packed(message), isHeld: true });
        return () => page.evaluate((held) => window.postMessage((window as unknown as FakeWindow).held[held], "*"), at);
      },
      sent: () => page.evaluate(() => (window as unknown as FakeWindow).sent.splice(0)),
      kept: () => page.evaluate(() => (window as unknown as FakeWindow).kept),
      wear: (another) => page.evaluate((dress) => (window as unknown as FakeWindow).wear(dress), dressOf(another)),
    };
  }

  /**
   * Ends a test. One that failed may have left keys pressed, or a page that does not answer: the next gets a new window.
   *
   * @returns violations of the policy and uncaught errors of its pages, which must not be
   */
  async endTest(hasFailed: boolean): Promise<readonly string[]> {
    const { problems } = this;
    this.problems = [];
    if (hasFailed || problems.length > 0) await this.closePage();
    return problems;
  }

  async stop(): Promise<void> {
    await this.closePage();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async closePage(): Promise<void> {
    await this.page?.context().close();
    this.page = this.vsCode = this.widths = undefined;
  }

  private async newPage(): Promise<Page> {
    const page = await (await this.browser.newContext()).newPage();
    page.on("pageerror", (error) => this.problems.push(String(error)));
    page.on("console", (line) => {
      if (line.type() === "error") this.problems.push(line.text());
    });
    return page;
  }
}

interface FakeWindow {
  sent: Sent[];
  /** Messages that are sent later. */
  held: unknown[];
  kept: unknown;
  wear(dress: Dress): void;
  acquireVsCodeApi(): unknown;
}

/** The arrays of numbers that messages have, by name. */
const COLUMNS = { Float64Array, Float32Array, Int32Array, Uint32Array, Uint16Array, Uint8Array };

/**
 * A message as one text: playwright itself takes it apart value by value, which takes as long as all else where it has 20,000 points.
 * What JSON has no word for is an object of one key.
 */
function packed(message: unknown): string {
  return JSON.stringify(message, (_, part: unknown) => {
    if (part === undefined || (typeof part === "number" && !Number.isFinite(part))) return { "~": String(part) };
    const column = Object.entries(COLUMNS).find(([, type]) => part instanceof type)?.[0];
    if (column === undefined || !ArrayBuffer.isView(part)) return part;
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString("base64");
    return { [`~${column}`]: bytes };
  });
}

/** Runs in the page: sends a {@link packed} message, or holds it. @returns as which */
function postMessage({ text, isHeld }: { readonly text: string; readonly isHeld: boolean }): number {
  const words: Readonly<Record<string, unknown>> = { undefined, NaN, Infinity, "-Infinity": -Infinity };
  const unpacked = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part;
    if (Array.isArray(part)) return part.map(unpacked);
    const [[name, value] = ["", undefined]] = Object.entries(part);
    if (name === "~") return words[String(value)];
    if (!name.startsWith("~"))
      return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, unpacked(one)]));
    const letters = atob(String(value));
    const { buffer } = new Uint8Array(letters.length).map((_, at) => letters.charCodeAt(at));
    const Column = (globalThis as unknown as Record<string, new (buffer: ArrayBuffer) => unknown>)[name.slice(1)];
    return new Column(buffer);
  };
  const message = unpacked(JSON.parse(text));
  if (isHeld) return (window as unknown as FakeWindow).held.push(message) - 1;
  window.postMessage(message, "*");
  return -1;
}

/** What VS Code gives a page of a theme. */
interface Dress {
  readonly body: string;
  readonly kind: string;
  readonly variables: Readonly<Record<string, string>>;
}

function dressOf(theme: ThemeName): Dress {
  const colors = Object.fromEntries(
    manifest.contributes.colors.map(({ id, defaults }) => [
      `--vscode-${id.replaceAll(".", "-")}`,
      defaults[contributed[theme]],
    ]),
  );
  const { body, kind, variables } = themes[theme];
  return { body, kind, variables: { ...variables, ...colors } };
}

/** Runs in the page before its script: what VS Code does to a webview. */
function playVsCode(vsCode: { dress: Dress; kept: unknown }): void {
  const fake = window as unknown as FakeWindow;
  fake.sent = [];
  fake.held = [];
  fake.kept = vsCode.kept;
  fake.acquireVsCodeApi = () => ({
    postMessage: (message: Sent) => void fake.sent.push(structuredClone(message)),
    setState: (state: unknown) => void (fake.kept = structuredClone(state)),
    getState: () => fake.kept,
  });
  // VS Code's order: the classes first, and what the theme before had and this one has not is gone.
  fake.wear = ({ body, kind, variables }) => {
    document.body.className = body;
    document.body.dataset.vscodeThemeKind = kind;
    const { style } = document.documentElement;
    for (const name of Array.from(style)) if (name.startsWith("--vscode-")) style.removeProperty(name);
    for (const name in variables) style.setProperty(name, variables[name]);
  };
  // Before the page's own script, which stands at the end of the body.
  new MutationObserver((_, observer) => {
    if (!document.body) return;
    observer.disconnect();
    fake.wear(vsCode.dress);
  }).observe(document, { childList: true, subtree: true });
}

/** As much of VS Code's webview and URIs as the page's HTML needs. */
function webviewAt(origin: string): vscode.Webview {
  const webview: Pick<vscode.Webview, "cspSource" | "asWebviewUri"> = {
    cspSource: origin,
    asWebviewUri: (uri) => uri,
  };
  return webview as vscode.Webview;
}

/** Settles when what was asked for is on screen: drawing is put off to the next frame. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** A double click at one place of the page, while something happens between its two clicks. */
export async function doubleClickAround(
  page: Page,
  { x, y }: { x: number; y: number },
  between: () => Promise<unknown>,
): Promise<void> {
  await page.mouse.move(x, y);
  for (const clickCount of [1, 2]) {
    await page.mouse.down({ clickCount });
    await page.mouse.up({ clickCount });
    if (clickCount === 1) await between();
  }
}

/** The middle of something on screen. */
export async function middleOf(target: Locator): Promise<{ x: number; y: number }> {
  const box = await target.boundingBox();
  if (!box) throw new Error("It is not on screen.");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Leaves a picture for people to look at, where it is wanted. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!arePicturesWanted) return;
  keepFile(`${name}.png`, await page.screenshot());
}

/** Leaves a file beside the pictures. */
export function keepFile(name: string, content: string | Buffer): void {
  const folder = path.resolve(".vscode-test/webview");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, name), content);
}
