/** What resources belong to, as somebody says it: a rule, or a file with a line a resource, as the command line takes both. */
import { posix } from "node:path";
import * as vscode from "vscode";
import { hierarchyOfFile, hierarchyOfRule } from "../../engine/overview/hierarchyText";
import { messageOf } from "../../model/errors";
import { counted, shorten } from "../../model/texts";
import type { OverviewState } from "../../protocol/overview";
import type { PanelHandle } from "../kit/definition";

/** The choice that nobody made. */
export const FIRST = "first";
/** Choices that ask, and the one that stands for what was said. */
export const BY_RULE = "rule";
export const BY_FILE = "file";
export const CHOSEN = "chosen";

/** Bytes of a file, and characters of what a panel remembers of it. */
const LARGEST_FILE = 4e6;
const MOST_KEPT = 500_000;
const MAX_NAME = 60;

type Said = NonNullable<OverviewState["hierarchy"]>;
type Changed = Partial<OverviewState> | undefined;

export function hierarchyText(said: Said): { readonly label: string; readonly short: string; readonly title: string } {
  if (said.kind === "every") {
    const label = `every ${said.count}: ${shorten(said.name, MAX_NAME)}`;
    return {
      label,
      short: `${said.count} each`,
      title: `Each ${said.count} neighbours are a ${shorten(said.name, MAX_NAME)}`,
    };
  }
  const file = shorten(said.file, MAX_NAME);
  return {
    label: file,
    short: file,
    title: `${counted(said.paths.length, "resource")} as ${file} has them`,
  };
}

/** @returns undefined where nothing changes: the user went back, or what was given is none, which is said */
export async function chosenHierarchy(
  value: string,
  { hierarchy }: OverviewState,
  panel: Pick<PanelHandle<OverviewState, never>, "notice">,
): Promise<Changed> {
  const changed = (said: Said): Changed => ({ hierarchy: said, strength: undefined });
  if (value === CHOSEN) return undefined;
  if (value === BY_RULE) {
    const rule = await askRule(hierarchy);
    return rule === undefined ? undefined : changed(hierarchyOfRule(rule));
  }
  if (value === FIRST) return { every: undefined, hierarchy: undefined, strength: undefined };
  if (value !== BY_FILE) return { every: Number(value), hierarchy: undefined, strength: undefined };
  const file = await askFile();
  if (!file) return undefined;
  try {
    return changed(await readFile(file));
  } catch (error) {
    panel.notice(shorten(messageOf(error), 400));
    return undefined;
  }
}

async function askRule(before: Said | undefined): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title: "Resources by a Rule",
    prompt: "Number of neighbours per group, in the order of the numbers in their names, and a name for the groups",
    value: before?.kind === "every" ? `every ${before.count}: ${before.name}` : "every 8: host",
    validateInput: (given) => {
      try {
        hierarchyOfRule(given.trim());
        return given.length > 1000 ? "At most 1,000 characters." : undefined;
      } catch (error) {
        return messageOf(error);
      }
    },
  });
  return text?.trim();
}

async function askFile(): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const files = await vscode.window.showOpenDialog({
    ...(folder ? { defaultUri: folder } : {}),
    title: "Groups of resources from a file, a line per resource: leaf = outermost/…/innermost group",
    openLabel: "Take",
  });
  return files?.[0];
}

async function readFile(uri: vscode.Uri): Promise<Said> {
  const file = posix.basename(uri.path);
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > LARGEST_FILE) throw new Error(`${file}: a file of ${Math.ceil(size / 1e6)} MB is no list of resources.`);
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  const paths = hierarchyOfFile(text, file).paths.map(([leaf, path]): [string, string[]] => [leaf, [...path]]);
  if (JSON.stringify(paths).length > MOST_KEPT)
    throw new Error(`${file}: too long to be kept by a panel; heatflow overview --hierarchy takes it.`);
  return { kind: "paths", file, paths };
}
