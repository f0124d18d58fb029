/** Asks for the name by which something is kept. */
import * as vscode from "vscode";

const LONGEST_NAME = 200;

/** @param known what has a name already: it makes way @returns undefined where the user went back, or gave none */
export async function askName(
  options: Pick<vscode.InputBoxOptions, "title" | "prompt" | "value">,
  known: readonly { readonly name: string }[],
): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    ...options,
    validateInput: (text) =>
      known.some((one) => one.name === text.trim())
        ? { message: "Replaces the entry with this name.", severity: vscode.InputBoxValidationSeverity.Info }
        : text.length > LONGEST_NAME
          ? `At most ${LONGEST_NAME} characters.`
          : undefined,
  });
  return name?.trim() === "" ? undefined : name?.trim();
}
