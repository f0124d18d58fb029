/** How a window opens an ensemble: asked for its runs, or of the recordings that are open. */
import * as vscode from "vscode";
import { numberIn } from "../../session/commandArguments";
import { isEnsemble } from "../../session/notRecorded";
import { pickPaths } from "../../session/pickPaths";
import type { Session } from "../../session/session";
import { currentSettings } from "../../session/sourceFeed";

const MANIFEST = "*.heatflow-runs.json";

/** Asks for runs and opens them. @param argument of the command: the files or folders, where they are known. @returns its data set */
export async function openEnsembleOf(session: Session, argument: unknown): Promise<number | undefined> {
  const given = Array.isArray(argument) ? argument : [argument];
  const uris = given.filter((uri): uri is vscode.Uri => uri instanceof vscode.Uri);
  const chosen = uris.length > 0 ? uris : await pickPaths("Open Ensemble", RUN_KINDS);
  return chosen.length === 0 ? undefined : open(session, chosen);
}

/**
 * The ensemble that a command is about: the one that is meant, or that is current, or that is made of the recordings that are open.
 *
 * @returns its data set; undefined: it was said why there is none
 */
export async function ensembleFor(session: Session, argument: unknown): Promise<number | undefined> {
  const meant = numberIn(argument, "dataSet");
  if (meant !== undefined) return meant;
  const { current, dataSets } = session;
  if (current && isEnsemble(current)) return current.id;
  const runs = dataSets.filter((info) => !isEnsemble(info));
  if (runs.length < 2) {
    const known = dataSets.find(isEnsemble);
    return known ? known.id : openEnsembleOf(session, undefined);
  }
  const files = [...new Set(runs.flatMap((info) => info.files))];
  return open(
    session,
    files.map((file) => vscode.Uri.file(file)),
  );
}

async function open(session: Session, uris: readonly vscode.Uri[]): Promise<number | undefined> {
  const { ensemblePattern } = currentSettings();
  const [opened] = await session.open(uris, undefined, {
    ensemble: ensemblePattern === "" ? {} : { pattern: ensemblePattern },
  });
  return opened?.id;
}

const RUN_KINDS = [
  {
    label: "$(folder) Folder…",
    detail: "Each recording in the folder or its subfolders is a run",
    folder: true,
  },
  {
    label: "$(file) Files…",
    detail: `Each recording is a run; ${MANIFEST} names runs and their parameters`,
    folder: false,
  },
];
