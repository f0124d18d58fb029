import * as vscode from "vscode";
import type { Chosen, DataSetInfo } from "../engine/api";
import { howToWrite, readMembers } from "../model/memberInput";
import { chosenText, memberRanges, unitName } from "../model/members";
import { cutList } from "../model/texts";
import type { Session } from "../session/session";
import { asSentence } from "../session/notRecorded";

type Unit = DataSetInfo["units"][number];

/** Characters of the list of what there is. */
const MOST_LIST = 200;

/** "Restrict to…": asks for ranks, or threads, GPU streams or hosts where the recording has several, and restricts to them. */
export async function askRestriction(session: Session, info: DataSetInfo, only?: Chosen["by"]): Promise<void> {
  const units = info.units.filter(({ by }) => only === undefined || by === only);
  if (units.length === 0) {
    const text = `There is nothing to restrict the numbers of ${info.name} to: it does not have two ranks, threads, GPU streams or hosts.`;
    void vscode.window.showInformationMessage(text);
    return;
  }
  const now = session.scope(info.id)?.chosen;
  const unit = units.length === 1 ? units[0] : await pickUnit(info, units, now);
  const members = unit && (await askMembers(info, unit, now));
  if (!unit || !members) return;
  session.setCurrent(info.id);
  // All of them is no restriction.
  const isAll = members.length === unit.members.length;
  session.setRestriction(info.id, isAll ? undefined : { by: unit.by, members });
}

async function pickUnit(info: DataSetInfo, units: readonly Unit[], now: Chosen | undefined): Promise<Unit | undefined> {
  const items = units.map((unit) => ({
    label: asSentence(unitName(unit.by, 2)).slice(0, -1),
    description: there(unit),
    detail: now?.by === unit.by ? `${chosenText(now)} now` : undefined,
    unit,
  }));
  return (await vscode.window.showQuickPick(items, { title: `Restrict all numbers of ${info.name} to` }))?.unit;
}

async function askMembers(
  info: DataSetInfo,
  { by, members }: Unit,
  now: Chosen | undefined,
): Promise<readonly string[] | undefined> {
  const read = (text: string) => readMembers(text, by, members);
  const text = await vscode.window.showInputBox({
    title: `Restrict all numbers of ${info.name} to ${unitName(by, 2)}`,
    value: now?.by === by ? memberRanges(now.members, "-") : "",
    placeHolder: howToWrite(by, members[0].split(".").length),
    prompt: `There are ${there({ by, members })}.`,
    validateInput: (value) => read(value).problem,
    // The focus that the list before gave back to a panel may arrive after this has opened.
    ignoreFocusOut: true,
  });
  return text === undefined ? undefined : read(text).members;
}

/** `8 ranks: 0-7`. */
function there({ by, members }: Pick<Unit, "by" | "members">): string {
  return `${members.length} ${unitName(by, members.length)}: ${cutList(memberRanges(members), MOST_LIST)}`;
}
