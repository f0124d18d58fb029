/**
 * Golden files of a panel's samples: the saved picture, the saved tables, and what is said of each mark (facts, note, text that is read
 * out, details, menu). A change that is to change nothing leaves them as they are. `npx vitest --project webview -u` writes them anew.
 */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import type { PageDefinition } from "../../../../webviews/kit/definition";
import type { Mark, Scene } from "../../../../webviews/kit/stage/scene";
import type { PanelPage, Sent } from "../../window";

const GOLDEN = "test/golden";

/** Characters of a file. A longer one ends with a digest of the rest. */
const MAX_FILE = 15_000;
/** Names of temporary folders end with letters that differ in each run. */
const TEMPORARY = /(heatflow-[a-z]+-)\w{6}\b/g;

export type Golden = readonly [kind: "csv" | "svg" | "txt", text: string];

/** Compares what samples show with the golden files of their panel, which has no others. */
export async function expectGolden(panel: string, shown: ReadonlyMap<string, readonly Golden[]>): Promise<void> {
  const folder = path.resolve(GOLDEN, panel);
  const names = new Set<string>();
  for (const [sample, files] of shown)
    for (const [kind, text] of files) {
      const name = `${sample.replaceAll(/[^A-Za-z0-9]+/g, "-")}.${kind}`;
      names.add(name);
      const anywhere = text.replaceAll(process.cwd(), "…").replaceAll(TEMPORARY, "$1…");
      await expect(shortened(anywhere)).toMatchFileSnapshot(path.join(folder, name));
    }
  // The first files are written when the test has ended.
  const there = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  const unknown = there.filter((name) => !names.has(name));
  expect(unknown, "golden files of no sample").toEqual([]);
}

function shortened(text: string): string {
  if (text.length <= MAX_FILE) return `${text.trimEnd()}\n`;
  const cut = text.lastIndexOf("\n", MAX_FILE) + 1 || MAX_FILE;
  const digest = createHash("sha256").update(text.slice(cut)).digest("hex");
  return `${text.slice(0, cut)}\n… ${text.length - cut} more characters, SHA-256 ${digest}\n`;
}

/** Has the page save its drawing or its tables. */
export async function savedAs({ page, sent }: PanelPage, format: "svg" | "csv"): Promise<string> {
  await page.getByRole("button", { name: /^Save/ }).click();
  await page.getByRole("menuitem", { name: new RegExp(format, "i") }).click();
  let saved: Sent | undefined;
  const isSaved = async () => (saved = (await sent()).find(({ type }) => type === "save") ?? saved)?.format;
  await expect.poll(isSaved, { timeout: 60_000 }).toBe(format);
  const text = String(saved?.content);
  // One element a line: a change is then one line of a diff.
  return format === "svg" ? text.replaceAll(/(?<=>)(?=<)/g, "\n") : text;
}

type AnyPage = PageDefinition<unknown, unknown, unknown, unknown>;

interface Exposed {
  readonly definition: AnyPage;
  /** Content and scene that are on screen; absent before the first one. */
  readonly shown?: () => { readonly content: unknown; readonly scene: Scene | undefined };
}

/** Everything that a page says of each mark, and around its drawing. */
export async function saidBy({ page }: PanelPage): Promise<string> {
  await page.waitForFunction(() => (globalThis as unknown as { exposed: Exposed }).exposed.shown !== undefined);
  return page.evaluate(said);
}

/** Runs in the page. */
function said(): string {
  const { definition, shown } = (globalThis as unknown as { exposed: Exposed }).exposed;
  const { content, scene } = shown?.() ?? {};
  if (content === undefined || !scene) throw new Error("Nothing is drawn.");
  const lines: string[] = [];
  const listed = (name: string, values: readonly unknown[]) =>
    lines.push(
      ...values.filter((value) => value !== undefined && value !== "").map((value) => `  ${name}: ${String(value)}`),
    );
  const menuOf = (mark: number) =>
    (definition.menu?.(content, mark, undefined) ?? []).map(({ label, key, disabled, group, does }) =>
      [label, key, group, disabled, typeof does === "string" ? `does ${does}` : JSON.stringify(does)]
        .filter(Boolean)
        .join(" · "),
    );
  const detailsOf = (mark: number) => {
    const details = definition.details?.(content, mark, undefined);
    return details
      ? [
          [details.name, details.place].filter(Boolean).join(" · "),
          ...details.numbers.map((number) => number.join(" | ")),
          ...details.actions.map(({ id, name }) => `[${name}] ${id}`),
        ]
      : [];
  };
  const entries = [...document.querySelectorAll(".legend .entry")].map(({ textContent }) => textContent);
  lines.push(`${definition.name(content)}`, `nouns: ${definition.nouns(content).join(", ")}`);
  listed("summary", definition.summary(content, undefined));
  listed("legend", entries);
  listed("hint", [definition.hint?.(content)]);
  const lead = definition.lead?.(content);
  listed("lead", lead ? [lead.before, ...lead.wordings] : []);
  const aside = definition.aside?.(content);
  if (aside)
    listed(
      aside.title,
      aside.items.map(({ name, number, note }) => [name, number, note].filter(Boolean).join(" | ")),
    );
  const { many, marks } = scene;
  const told = (mark: Mark) => {
    lines.push("", [`${mark.id} ${mark.name}`, mark.place].filter(Boolean).join(" · "));
    listed(
      "fact",
      mark.facts().map((fact) => fact.join(" | ")),
    );
    listed("note", [mark.note?.()]);
    listed("says", [mark.says?.()]);
    // A part that the pointer passes through has those of the whole.
    if (mark.isPassive) return;
    listed("details", detailsOf(mark.id));
    listed("menu", menuOf(mark.id));
  };
  for (const mark of marks) told(mark);
  const ids = new Set(marks.map(({ id }) => id));
  for (const table of definition.tables(content, undefined))
    for (const row of table.rows) {
      const id = table.markOf(row);
      const mark = id === undefined || ids.has(id) ? undefined : many?.of(id);
      if (!mark) continue;
      ids.add(mark.id);
      told(mark);
    }
  return lines.join("\n");
}
