import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json";
import { tableRows } from "../tables";

const { commands, configuration, keybindings } = manifest.contributes;
const settings = Object.assign({}, ...[configuration].flat().map(({ properties }) => properties)) as Record<
  string,
  { default: unknown }
>;
const readme = fs.readFileSync("README.md", "utf8");
const pages = fs.readdirSync("docs").map((page) => `docs/${page}`);
const tables = fs.readFileSync("docs/commands-and-settings.md", "utf8");
/** Cells of a table hold code in backquotes. */
const plain = (cell: string) => cell.replace(/^`(.*)`$/, "$1");

describe("the documentation", () => {
  // Commands of one view's title bar stand there with their icon; the others are for everybody.
  const forEverybody = commands.filter(({ command }) => !/^heatflow\.\w+\.\w+$/.test(command));

  it("lists every command with its title and its key", () => {
    const rows = tableRows(tables, ["command", "title", "key"]).map(([command, title, key]) => ({
      command: plain(command),
      title,
      key: `ctrl+alt+h ${key.toLowerCase()}`,
    }));
    const keyOf = (command: string) => keybindings.find((binding) => binding.command === command)?.key;
    expect(rows).toEqual(forEverybody.map(({ command, title }) => ({ command, title, key: keyOf(command) })));
  });

  it("lists every setting with its default", () => {
    const rows = tableRows(tables, ["setting", "default", "what it does"]);
    const documented = Object.fromEntries(rows.map(([name, value]) => [plain(name), plain(value)]));
    const declared = Object.entries(settings).map(([name, { default: value }]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]);
    expect(documented).toEqual(Object.fromEntries(declared));
  });

  it("names scripts that there are", () => {
    const texts = ["README.md", ...pages].map((page) => fs.readFileSync(page, "utf8"));
    const named = texts.flatMap((text) => [...text.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, script]) => script));
    expect(named.length).toBeGreaterThan(0);
    for (const script of named) expect(manifest.scripts).toHaveProperty([script]);
  });
});

describe("README", () => {
  it("has at most 120 lines and three pictures", () => {
    expect(readme.split("\n").length).toBeLessThanOrEqual(120);
    expect([...readme.matchAll(/^!\[.+\]\(media\/.+\.png\)$/gm)]).toHaveLength(3);
  });

  it("leads to every page of the documentation, and pages to files that there are", () => {
    const linksOf = (page: string) =>
      [...fs.readFileSync(page, "utf8").matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) =>
        path.join(path.dirname(page), link),
      );
    expect(linksOf("README.md")).toEqual(expect.arrayContaining(pages));
    for (const link of ["README.md", ...pages].flatMap(linksOf)) expect(fs.existsSync(link), link).toBe(true);
  });
});

describe("the manifest", () => {
  it("has no key without the chord", () => {
    for (const { key } of keybindings) expect(key).toMatch(/^ctrl\+alt\+h (?:[a-z\d]|shift\+[a-z])$/);
    expect(new Set(keybindings.map(({ key }) => key)).size).toBe(keybindings.length);
  });
});
