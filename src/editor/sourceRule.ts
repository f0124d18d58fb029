/** The rule of the path map that a located file gives. Pure. */
import { relative } from "node:path";
import { liesIn } from "./liesIn";

/**
 * The shortest rule that leads from a recorded path to the file that the user showed: what both paths end with in common
 * is dropped, so one located file finds its neighbours too.
 *
 * @param recorded as the recording has it, absolute or relative, with `/` or `\`
 * @param file absolute path of the file
 * @param folders absolute paths of the workspace's folders; a target in the first one is written relative to it
 */
export function ruleFor(recorded: string, file: string, folders: readonly string[]): { from: string; to: string } {
  const from = recorded.replaceAll("\\", "/").split("/");
  const to = file.replaceAll("\\", "/").split("/");
  let same = 0;
  // The first part of each stays: a rule from nothing would match every path.
  while (same + 1 < from.length && same + 1 < to.length && from.at(-1 - same) === to.at(-1 - same)) same++;
  const target = to.slice(0, to.length - same).join("/") || "/";
  const source = from.slice(0, from.length - same).join("/") || "/";
  return { from: source, to: inFolder(target, folders) };
}

function inFolder(target: string, folders: readonly string[]): string {
  if (folders.length === 0 || !liesIn(folders[0], target)) return target;
  return relative(folders[0], target).replaceAll("\\", "/") || ".";
}
