import * as vscode from "vscode";
import type { DataSetInfo, Engine, OpenRequest } from "../engine/api";
import { AmbiguityError, CancelledError } from "../model/errors";
import { fileName } from "../model/placeText";
import type { Task } from "../model/task";
import { openingText } from "./openingText";
import { withCancellableProgress } from "./progress";

export interface Opened {
  readonly infos: readonly DataSetInfo[];
  /** What the user said the files are; kept, so that the same files need no second question. */
  readonly answer: string | undefined;
}

/**
 * Opens recordings with progress and cancel. Where only the user knows what the files are, the question comes once.
 *
 * @param name what is opened, for people
 * @param bytes of all files, as far as it is known by then
 * @param heard is told of all progress, as the notification has it
 * @param started gets what cancels the opening, as the button of the notification does
 * @throws CancelledError also where the question was left without an answer
 */
export async function openAsking(
  engine: () => Engine,
  request: OpenRequest,
  name: string,
  bytes: () => number,
  heard?: Task["progress"],
  started?: (cancel: () => void) => void,
): Promise<Opened> {
  const open = (answer: string | undefined) =>
    withCancellableProgress(
      `Opening ${name}`,
      (task) => engine().open({ ...request, answer }, described(task, request.paths, bytes)),
      heard,
      started,
    );
  try {
    return { infos: await open(request.answer), answer: request.answer };
  } catch (problem) {
    if (!(problem instanceof AmbiguityError)) throw problem;
    const answer = await ask(name, problem);
    return { infos: await open(answer), answer };
  }
}

/**
 * Says how far the opening is. The name of the only file is left out: the title has it. Bytes are those of the files that were named, so a file
 * beside them has none.
 */
function described(task: Task, paths: OpenRequest["paths"], bytes: () => number): Task {
  const names = new Set(paths.map(fileName));
  return {
    check: () => task.check(),
    progress(fraction, message) {
      const isNamed = message !== undefined && names.has(message);
      const text = isNamed && paths.length === 1 ? undefined : message;
      task.progress(fraction, openingText(fraction, text, isNamed ? bytes() : NaN));
    },
    onCancel: task.onCancel,
  };
}

async function ask(name: string, { question, choices }: AmbiguityError): Promise<string> {
  const items = choices.map(({ id, label, detail }) => ({ label, detail, id }));
  // Looking at the files in another window must not count as an answer.
  const options = { title: name, placeHolder: question, ignoreFocusOut: true };
  const chosen = await vscode.window.showQuickPick(items, options);
  if (!chosen) throw new CancelledError();
  return chosen.id;
}
