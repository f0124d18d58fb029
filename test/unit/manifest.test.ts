import fs from "node:fs";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json";
import { tableRows } from "../tables";

const { commands, configuration, keybindings } = manifest.contributes;
const settings = Object.assign({}, ...[configuration].flat().map(({ properties }) => properties)) as Record<
  string,
  { default: unknown }
>;
const readme = fs.readFileSync("README.md", "utf8");
/** Cells of a table hold code in backquotes. */
const plain = (cell: string) => cell.replace(/^`(.*)`$/, "$1");

describe("README", () => {
  // Commands of one view's title bar stand there with their icon; the others are for everybody.
  const forEverybody = commands.filter(({ command }) => !/^heatflow\.\w+\.\w+$/.test(command));

  it("lists every command with its title and its key", () => {
    const rows = tableRows(readme, ["command", "title", "key"]).map(([command, title, key]) => ({
      command: plain(command),
      title,
      key: `ctrl+alt+h ${key.toLowerCase()}`,
    }));
    const keyOf = (command: string) => keybindings.find((binding) => binding.command === command)?.key;
    expect(rows).toEqual(forEverybody.map(({ command, title }) => ({ command, title, key: keyOf(command) })));
  });

  it("lists every setting with its default", () => {
    const rows = tableRows(readme, ["setting", "default", "what it does"]);
    const documented = Object.fromEntries(rows.map(([name, value]) => [plain(name), plain(value)]));
    const declared = Object.entries(settings).map(([name, { default: value }]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]);
    expect(documented).toEqual(Object.fromEntries(declared));
  });

  it("names scripts that there are", () => {
    const named = [...readme.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, script]) => script);
    expect(named.length).toBeGreaterThan(0);
    for (const script of named) expect(manifest.scripts).toHaveProperty([script]);
  });
});

describe("the manifest", () => {
  it("has no key without the chord", () => {
    for (const { key } of keybindings) expect(key).toMatch(/^ctrl\+alt\+h [a-z]$/);
    expect(new Set(keybindings.map(({ key }) => key)).size).toBe(keybindings.length);
  });
});
