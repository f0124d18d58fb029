import * as path from "node:path";
import * as vscode from "vscode";
import { withoutEnding } from "../../model/placeText";

const labels = { svg: "SVG picture", png: "PNG picture", csv: "Table (CSV)" };

/**
 * The name that is suggested: `callgrind.out.22496-super-graph.svg`, with the folder where only that tells recordings apart.
 *
 * @param recording what it is called; undefined: none is shown
 */
export function suggestedName(recording: string | undefined, saved: string, format: string): string {
  const own = recording === undefined ? [] : [withoutEnding(recording).replaceAll(/[/\\:*?"<>|]/g, "-")];
  return `${[...own, saved].join("-")}.${format}`;
}

/**
 * Asks where to save a picture or a table, and writes it there.
 *
 * @param content text, or base64 for a PNG
 * @param of the recording that it is of
 * @param what names what is saved: in its title, and in the file's name
 * @returns what was written; undefined where the user went back
 */
export async function saveAs(
  { format, content }: { format: keyof typeof labels; content: string },
  of: { readonly name: string; readonly files: readonly string[] } | undefined,
  what: { readonly title: string; readonly saved: string },
): Promise<vscode.Uri | undefined> {
  const target = await askTarget(of, what, labels[format], format);
  if (!target) return undefined;
  await vscode.workspace.fs.writeFile(target, Buffer.from(content, format === "png" ? "base64" : "utf8"));
  return target;
}

/** Asks where to save something. @param label of the format, and its ending @returns undefined where the user went back */
export async function askTarget(
  of: { readonly name: string; readonly files: readonly string[] } | undefined,
  what: { readonly title: string; readonly saved: string },
  label: string,
  ending: string,
): Promise<vscode.Uri | undefined> {
  const name = suggestedName(of?.name, what.saved, ending);
  const beside = of?.files.at(0);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? (beside && vscode.Uri.file(path.dirname(beside)));
  return vscode.window.showSaveDialog({
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
    filters: { [label]: [ending] },
    title: `Save ${what.title} as ${label}`,
  });
}
