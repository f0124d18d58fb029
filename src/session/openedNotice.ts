/**
 * The one notice about recordings that were opened. Rule: a warning is shown once. The page of a recording lists all of its warnings, so the
 * notice leaves them out if the page is shown with it, but for files that were left out. Whoever opens recordings and shows a page, or has
 * something to add, opens them `quietly` and calls {@link OpenedNotice.announce} afterwards; for all others the library does. Recordings that
 * come back with the window, or are read again, are not announced.
 */
import * as vscode from "vscode";
import type { DataSetInfo } from "../engine/api";
import { joined } from "../model/texts";
import { notices, offer } from "./notices";
import { openedMessage } from "./openedMessage";
import { canRecordAgain, RECORD_AGAIN } from "./recordAgain";
import type { Announced } from "./session";

const SHOW_DATA_SETS = "Show Data Sets";
const OPEN_ENSEMBLE = "Open as Ensemble";

export class OpenedNotice {
  /** Data sets that were opened and not announced, each with all of its opening. */
  private readonly waiting = new Map<number, readonly DataSetInfo[]>();

  /** Data sets of one opening, which are to be announced. */
  opened(infos: readonly DataSetInfo[]): void {
    for (const { id } of infos) this.waiting.set(id, infos);
  }

  /** Shows one notice about data sets, if there is something to say. A data set that was announced before adds nothing. */
  announce(dataSets: readonly DataSetInfo[], { isPageShown = false, lead }: Announced = {}): void {
    const openings = [...new Set(dataSets.map(({ id }) => this.waiting.get(id)))].filter((one) => one !== undefined);
    for (const { id } of openings.flat()) this.waiting.delete(id);
    const page = isPageShown ? dataSets.at(0)?.id : undefined;
    const messages = openings.flatMap((infos) => openedMessage(infos, page) ?? []);
    if (messages.length === 0 && !lead) return;
    const isWarning = lead?.isWarning === true || messages.some(({ warn }) => warn);
    const actions = new Map(Object.entries(lead?.actions ?? {}));
    if (messages.length > 0) for (const [name, run] of actionsOn(openings, page)) actions.set(name, run);
    const show = isWarning ? notices.showWarningMessage : notices.showInformationMessage;
    const text = joined([lead?.text, ...messages.map((message) => message.text)], " ");
    offer(show, text, actions);
  }
}

/** Buttons of a notice. @param page the data set whose page is shown, which has "Record Again" itself */
function actionsOn(
  openings: readonly (readonly DataSetInfo[])[],
  page: number | undefined,
): Map<string, () => unknown> {
  const run =
    (command: string, ...rest: unknown[]) =>
    () =>
      vscode.commands.executeCommand(command, ...rest);
  const actions = new Map<string, () => unknown>();
  const early = openings.flat().find((info) => info.id !== page && canRecordAgain(info));
  if (early) actions.set(RECORD_AGAIN, run("heatflow.runTracedBuild", { again: early.files[0] }));
  // Several runs of one program are compared at once as an ensemble.
  const several = openings.find(({ length }) => length > 1);
  if (several) {
    const files = [...new Set(several.flatMap((info) => info.files))].map((file) => vscode.Uri.file(file));
    actions.set(OPEN_ENSEMBLE, run("heatflow.openEnsemble", undefined, files));
  }
  return actions.set(SHOW_DATA_SETS, run("heatflow.dataSets.focus"));
}
