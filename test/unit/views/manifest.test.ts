import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { HEAT_LEVELS } from "../../../src/editor/heat";
import { hoverCommands } from "../../../src/editor/markdown";
import { editorFor } from "../../../src/panels/lazyPanels";
import type { Heard } from "../session/standInForVsCode";

/** What the extension registers, heard by a stand-in for VS Code that does nothing else. */
const heard = vi.hoisted(() => ({ commands: [], trees: [], customEditors: [], messages: [] }) as Heard);

vi.mock("vscode", async () => (await import("../session/standInForVsCode")).standIn(heard));

interface Menu {
  readonly command: string;
  readonly when?: string;
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
  activationEvents: string[];
  capabilities: { untrustedWorkspaces: { supported: unknown; restrictedConfigurations: string[] } };
  contributes: {
    commands: { command: string; title: string; category: string }[];
    keybindings: { command: string; key: string }[];
    menus: Record<string, Menu[]>;
    views: { heatflow: { id: string }[] };
    viewsWelcome: { view: string; contents: string }[];
    languages: { extensions: string[]; icon: { light: string; dark: string } }[];
    customEditors: { viewType: string; priority: string; selector: { filenamePattern: string }[] }[];
    configuration: { properties: Record<string, { default: unknown; scope?: string }> };
    colors: { id: string; defaults: Record<string, string> }[];
    walkthroughs: { steps: { description: string; media: { markdown: string } }[] }[];
  };
};
const { contributes } = manifest;
const contributed = contributes.commands.map(({ command }) => command);

/** The table of commands and settings that the project is specified by. */
const specifiedCommands =
  "open close reload showSuperGraph selectMetric selectOverRanks toggleHeat toggleCodeLens goToHottestLine nextHotLine previousHotLine locateSource whyHere clearRestriction showLog";
const specifiedSettings = {
  "heat.enabled": true,
  "heat.inlineCost": true,
  "heat.by": "time",
  "heat.minimumShare": 0.1,
  "compare.changed": 1,
  "codeLens.enabled": true,
  "superGraph.filter": null,
  "superGraph.groupBy": null,
  overRanks: "mean",
  groups: {},
  categories: {},
  sourceMap: {},
  programs: {},
  "sample.stacks": "dwarf",
  "limits.memory": 4096,
  "limits.cache": 20,
  "limits.unpacked": 200,
  "limits.source": 500,
};

/** As VS Code understands the patterns of the manifest: `*` and `{a,b}`. */
function matchesGlob(file: string, pattern: string): boolean {
  const parts = pattern.split(/(\*|\{[^}]*\})/).map((part) => {
    if (part === "*") return ".*";
    if (part.startsWith("{")) return `(${part.slice(1, -1).replaceAll(",", "|")})`;
    return part.replace(/[.\\+]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`).test(file);
}

let deactivate: () => void = () => undefined;

beforeAll(async () => {
  const { activate } = await import("../../../src/extension");
  const { contextOfExtension } = await import("../session/standInForVsCode");
  const context = contextOfExtension();
  activate(context);
  deactivate = () => {
    for (const part of context.subscriptions) part.dispose();
  };
});
afterAll(() => deactivate());

/** Of the panels' ramp for amounts. */
const RAMP_COLORS = 9;

describe("the manifest", () => {
  it("has the commands that are specified, under their category", () => {
    for (const name of specifiedCommands.split(" ")) expect(contributed).toContain(`heatflow.${name}`);
    expect(contributes.commands.every(({ category }) => category === "Heatflow")).toBe(true);
    expect(contributes.commands.find(({ command }) => command === "heatflow.open")?.title).toBe(
      "Open Performance Data…",
    );
  });

  it("contributes no command that the code does not register, and registers none twice", () => {
    expect(contributed.filter((command) => !heard.commands.includes(command))).toEqual([]);
    expect(heard.commands.filter((command, at) => heard.commands.indexOf(command) !== at)).toEqual([]);
  });

  it("uses only commands that are there, in keys, menus, welcome, walkthrough and hovers", () => {
    const links = [
      ...contributes.viewsWelcome.map(({ contents }) => contents),
      ...contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ description }) => description)),
    ].flatMap((text) => [...text.matchAll(/\(command:(heatflow[\w.]+)\)/g)].map(([, command]) => command));
    const used = [
      ...contributes.keybindings.map(({ command }) => command),
      ...Object.values(contributes.menus).flatMap((entries) => entries.map(({ command }) => command)),
      ...links,
      ...hoverCommands,
    ];
    expect(links.length).toBeGreaterThan(2);
    expect(used.filter((command) => !heard.commands.includes(command))).toEqual([]);
  });

  it("gives every command a chord of its own, and no key without the chord", () => {
    const keys = contributes.keybindings.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.every((key) => /^ctrl\+alt\+h (?:shift\+)?[a-z\d]$/.test(key))).toBe(true);
    const withKeys = contributes.keybindings.map(({ command }) => command.replace(/^heatflow\./, ""));
    expect(withKeys).toEqual(expect.arrayContaining(specifiedCommands.split(" ")));
  });

  it("has the settings that are specified, with their defaults", () => {
    const { properties } = contributes.configuration;
    const defaults = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name.replace(/^heatflow\./, ""), property.default]),
    );
    expect(defaults).toMatchObject(specifiedSettings);
  });

  it("has the three views, and all are there", () => {
    const views = contributes.views.heatflow.map(({ id }) => id);
    expect(views).toEqual(["heatflow.dataSets", "heatflow.hotFunctions", "heatflow.callingContexts"]);
    expect(heard.trees.sort()).toEqual([...views].sort());
    expect(contributes.viewsWelcome.map(({ view }) => view)).toEqual(["heatflow.dataSets"]);
  });

  /** Whether a click on a file of this name opens the page, or at least "Reopen Editor With…" offers it. */
  function editorsOf(file: string): string[] {
    const fits = ({ filenamePattern }: { filenamePattern: string }) => matchesGlob(file, filenamePattern);
    return contributes.customEditors.filter(({ selector }) => selector.some(fits)).map(({ priority }) => priority);
  }

  it.each([
    "solve.cali",
    "experiment.xml",
    "experiment-1.mdb",
    "experiment.mt",
    "1.cpi-000000-000-7f0101-160443-0.metric-db",
    "cpi-000000-000-7f0101-160443.hpctrace",
    "meta.db",
    "profile.db",
    "cct.db",
    "trace.db",
    "callgrind.out.4711",
    "callgrind.out.4711-02",
    "lzip.callgrind.out",
    "cg.paje",
    "cg.trace",
    "smpi-cg64.trace.gz",
    "resnet50_worker0.pt.trace.json.gz",
    "worker0.pt.trace.json",
  ])("opens %s with the data set's page, since its name says what it is", (file) => {
    expect(editorsOf(file)).toContain("default");
  });

  it.each(["package.json", "pom.xml", "archive.gz", "trace.json.gz", "users.db", "callgrind.small.log"])(
    "leaves %s to other editors, and offers its own",
    (file) => {
      expect(editorsOf(file)).toEqual(["option"]);
    },
  );

  it.each(["main.cpp", "notes.md", "Makefile"])("has nothing to do with %s", (file) => {
    expect(editorsOf(file)).toEqual([]);
  });

  it("opens a page in an editor that has a name for files of that name", () => {
    const names = [
      "a.cali",
      "experiment.xml",
      "meta.db",
      "callgrind.out.7",
      "lzip.callgrind.out",
      "w.pt.trace.json.gz",
      "cg.paje.gz",
      "solve.perf-script",
      "solve.perf-script.gz",
    ];
    const others = [
      "perf.txt",
      "perf.rank3.node1.4711.txt",
      "perf.data",
      "my.perf.txt",
      "a.perf",
      "chrome.json",
      "trace.json.gz",
      "other.xml",
      "x.mdb",
      "y.db",
      "p.callgrind",
      "callgrind.7",
    ];
    for (const file of [...names, ...others]) {
      const editor = contributes.customEditors.find(({ viewType }) => viewType === editorFor(file));
      const fits = editor?.selector.some(({ filenamePattern }) => matchesGlob(file, filenamePattern));
      expect([file, fits, editor?.priority]).toEqual([file, true, names.includes(file) ? "default" : "option"]);
    }
  });

  it("has an icon for tabs of recordings whose ending no theme of icons knows", () => {
    const endings = contributes.languages.flatMap(({ extensions }) => extensions);
    expect(endings).toEqual([".cali", ".perf-script"]);
    for (const { icon } of contributes.languages)
      for (const file of [icon.light, icon.dark]) expect(existsSync(file), file).toBe(true);
  });

  it("has both kinds of the page", () => {
    expect(contributes.customEditors.map(({ viewType }) => viewType)).toEqual(heard.customEditors);
    expect(heard.customEditors).toEqual(["heatflow.recording", "heatflow.otherRecording"]);
  });

  it("offers to open every file whose page there is, from the Explorer and from its tab", () => {
    const offers = ["explorer/context", "editor/title/context"].map(
      (menu) => contributes.menus[menu].find(({ command }) => command === "heatflow.open")?.when ?? "",
    );
    for (const when of offers) {
      const [extension, name] = [...when.matchAll(/=~ \/(.*?)\/(?= |\))/g)].map(([, pattern]) => new RegExp(pattern));
      for (const { filenamePattern } of contributes.customEditors.flatMap(({ selector }) => selector)) {
        const file = filenamePattern.replaceAll("*", "x").replace("{meta,profile,cct,trace}", "meta");
        const offered = extension.test(file.slice(file.lastIndexOf("."))) || name.test(file);
        expect([file, offered]).toEqual([file, true]);
      }
    }
  });

  it("has a colour in all four kinds of themes for each level of heat", () => {
    const ids = contributes.colors.map(({ id }) => id);
    for (let level = 1; level <= HEAT_LEVELS; level++) {
      expect(ids).toContain(`heatflow.heat${level}`);
      expect(ids).toContain(`heatflow.overviewRuler${level}`);
      expect(ids).toContain(`heatflow.less${level}`);
      for (const theme of ["light", "dark", "less-light", "less-dark"])
        expect(existsSync(`media/heat/${theme}-${level}.svg`)).toBe(true);
    }
    expect(ids).toContain("heatflow.inlineCost");
    // The panels' ramp: test/webview/kit/theme.test.ts knows its colours.
    for (let color = 0; color < RAMP_COLORS; color++) expect(ids).toContain(`heatflow.ramp${color}`);
    // Heat, the same of what costs less in a comparison, with one mark for that in the overview ruler.
    expect(ids).toHaveLength(3 * HEAT_LEVELS + 1 + 1 + RAMP_COLORS);
    for (const { defaults } of contributes.colors)
      expect(Object.keys(defaults).sort()).toEqual(["dark", "highContrast", "highContrastLight", "light"]);
  });

  it("has the files that it names", () => {
    const text = JSON.stringify(contributes);
    const files = [...text.matchAll(/"(?:\.\/)?((?:media|syntaxes)\/[^"]+)"/g)].map(([, file]) => file);
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !existsSync(join(file)))).toEqual([]);
  });

  it("has pictures in the walkthrough, of files that are there, and offers it at one place", () => {
    const pages = contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.markdown));
    const pictures = pages.flatMap((page) =>
      [...readFileSync(join(page), "utf8").matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, file]) => ({ page, file })),
    );
    expect(pictures.map(({ page }) => page)).toEqual(["media/walkthrough/lines.md", "media/walkthrough/superGraph.md"]);
    for (const { page, file } of pictures) expect(existsSync(join(page, "..", file)), file).toBe(true);
    const welcomes = JSON.stringify(contributes.viewsWelcome);
    expect([...welcomes.matchAll(/command:heatflow\.openWalkthrough/g)]).toHaveLength(1);
  });

  it("keeps the workspace from deciding which files open until it is trusted", () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    expect(supported).toBe("limited");
    expect(restrictedConfigurations).toEqual(["heatflow.sourceMap"]);
  });

  it("restores the panel after a reload", () => {
    expect(manifest.activationEvents).toContain("onWebviewPanel:heatflow.superGraph");
  });
});
