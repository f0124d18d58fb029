import * as path from "node:path";
import * as vscode from "vscode";

const labels = { svg: "SVG picture", png: "PNG picture", csv: "Table (CSV)" };

/**
 * Asks where to save a picture or a table, and writes it there.
 *
 * @param content text, or base64 for a PNG
 * @param beside a file whose name and folder the new one's are made from
 * @param what names what is saved: in its title, and in the file's name
 * @returns what was written; undefined where the user went back
 */
export async function saveAs(
  { format, content }: { format: keyof typeof labels; content: string },
  beside: string | undefined,
  what: { readonly title: string; readonly saved: string },
): Promise<vscode.Uri | undefined> {
  const name = beside ? `${path.parse(beside).name}-${what.saved}.${format}` : `${what.saved}.${format}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? (beside && vscode.Uri.file(path.dirname(beside)));
  const target = await vscode.window.showSaveDialog({
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
    filters: { [labels[format]]: [format] },
    title: `Save ${what.title} as ${labels[format]}`,
  });
  if (!target) return undefined;
  await vscode.workspace.fs.writeFile(target, Buffer.from(content, format === "png" ? "base64" : "utf8"));
  return target;
}
