import * as vscode from "vscode";
import type { SourceLink } from "../engine/api";
import { ignoreCancelled } from "../model/errors";
import { fileName } from "../model/placeText";
import { foreignReason } from "../model/foreignReason";
import { counted } from "../model/texts";
import type { Session } from "../session/session";
import { missingFiles } from "./missingFiles";
import type { SourceLocator } from "./sourceLocator";
import { notices } from "../session/notices";

/** Frames that are looked at to count files that were not found. */
const MOST_PLACES = 500;
/** As long as VS Code's own messages of this kind stay. */
const SHORT_MS = 5000;

/**
 * Says that a source file is missing: once with how many others are, then on a click in the status bar only, since every line of
 * a program whose source is elsewhere would say it again.
 */
export class MissingSources {
  private readonly said = new Set<string>();

  constructor(
    private readonly session: Session,
    private readonly locator: SourceLocator,
  ) {}

  /** @param asked the user wants to go there (Enter, a double click), which always offers to locate the file */
  async say(link: SourceLink & { readonly missingFile: string }, asked: boolean): Promise<void> {
    const { missingFile, places, reason } = link;
    const recording = this.session.current?.key ?? "";
    if (this.said.has(recording) && !asked) {
      const text = `$(warning) ${fileName(missingFile)} was not found: "Heatflow: Locate Source File…"`;
      vscode.window.setStatusBarMessage(text, SHORT_MS);
      return;
    }
    const others = this.said.has(recording) ? 0 : await this.others(missingFile);
    this.said.add(recording);
    const files = others > 0 ? ` and ${counted(others, "more source file")} were` : " was";
    // Why is asked for with "Why Is It Here?", and where the recording has it is what "Locate…" begins with.
    const instead = places.length > 0 ? "; this is the function" : "";
    const isForeign = reason === foreignReason(missingFile);
    const choice = await notices.showWarningMessage(
      isForeign ? reason : `${fileName(missingFile)}${files} not found${instead}.`,
      "Locate…",
      ...(others > 0 ? ["All Missing Files…"] : []),
    );
    if (choice === "Locate…") await this.locator.locate(missingFile);
    else if (choice) await vscode.commands.executeCommand("heatflow.locateSource");
  }

  private async others(missingFile: string): Promise<number> {
    const scope = this.session.scope();
    const asked = scope && this.session.engine.hotPlaces({ scope, limit: MOST_PLACES });
    const places = await asked?.catch(ignoreCancelled);
    return missingFiles(places ?? []).filter(({ file }) => file !== missingFile).length;
  }
}
