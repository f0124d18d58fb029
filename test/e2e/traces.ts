import fs from "node:fs";
import path from "node:path";

/** Leaves of the sample program's two traces the one with messages: its folder is one recording then. */
export function messagesAlone(workspace: string): void {
  const folder = path.join(workspace, "profiles/trace");
  for (const name of fs.readdirSync(folder)) if (name.startsWith("events")) fs.rmSync(path.join(folder, name));
}
