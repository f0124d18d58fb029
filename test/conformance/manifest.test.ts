import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json";
import { recordings } from "../recordings";
import { tableRows } from "../tables";

const folder = recordings();

/** Section 6 of the semantics names every command, view and setting. */
describe.skipIf(folder === undefined)("commands, settings and views", () => {
  const { commands, configuration, customEditors, views, viewsContainers } = manifest.contributes;
  const rows = () =>
    tableRows(fs.readFileSync(path.join(folder ?? "", "docs", "semantics.md"), "utf8"), [
      "kind",
      "id or title",
      "default",
    ]);
  const codes = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code);

  it("has every command", () => {
    const [, text] = rows().find(([kind]) => kind === "command") ?? [];
    const [first, ...others] = codes(text ?? "").filter((code) => /^(heatflow)?\.\w+$/.test(code));
    const named = [first, ...others.map((code) => `heatflow${code}`)];
    expect(named.length).toBeGreaterThan(10);
    const declared = commands.map(({ command }) => command);
    expect(named.filter((command) => !declared.includes(command))).toEqual([]);
    expect(text).toContain(`"${commands.find(({ command }) => command === first)?.title}"`);
    expect(new Set(commands.map(({ category }) => category))).toEqual(new Set(["Heatflow"]));
  });

  it("has the container, its views and the custom editor", () => {
    const [, text] = rows().find(([kind]) => kind.startsWith("container")) ?? [];
    const [container, ...names] = codes(text ?? "");
    expect(viewsContainers.activitybar.map(({ id }) => id)).toEqual([container]);
    expect(views.heatflow.map(({ id }) => id)).toEqual(names);
    const [, editor] = rows().find(([kind]) => kind === "custom editor") ?? [];
    expect(codes(editor ?? "")).toEqual([
      customEditors[0].viewType,
      customEditors[0].selector[0].filenamePattern,
      customEditors[0].priority,
    ]);
  });

  it("has every setting with its default", () => {
    const from = rows().findIndex(([kind]) => kind === "setting");
    const properties = Object.assign({}, ...[configuration].flat().map((part) => part.properties)) as Record<
      string,
      { default: unknown; scope?: string }
    >;
    let named = 0;
    for (const [, text, defaults] of rows().slice(from)) {
      let parent = "heatflow";
      const names = codes(text.replace(/\([^)]*\)/g, "")).map((code) => {
        // `.groupBy` belongs to the same part as the setting before it.
        const name = code.startsWith(".") ? `${parent}${code}` : code;
        parent = name.slice(0, name.lastIndexOf("."));
        return name;
      });
      // One default for all, or one each.
      const values = defaults
        .replace(/;.*/, "")
        .split(", ")
        .map((value) => value.replaceAll("`", ""));
      names.forEach((name, at) => {
        // Nothing is set: the first picture decides.
        const value = defaults.startsWith("none: ") ? "null" : values.length === 1 ? values[0] : values[at];
        const declared = properties[name]?.default;
        expect({ [name]: typeof declared === "string" ? declared : JSON.stringify(declared) }).toEqual({
          [name]: value,
        });
        if (defaults.includes("machine scope")) expect(properties[name].scope).toBe("machine");
        named++;
      });
    }
    // There may be more: parts that came later add theirs.
    expect(named).toBeGreaterThan(10);
  });
});
