import fs from "node:fs";
import path from "node:path";

/**
 * The extension's logs of a run, one for each time that a window started it; the latest last.
 *
 * @param folder of the run
 */
export function extensionLogs(folder: string): string[] {
  const logs = path.join(folder, "user-data", "logs");
  try {
    const files = fs.readdirSync(logs, { recursive: true, encoding: "utf8" });
    const own = files.filter((file) => path.basename(file) === "Heatflow.log");
    return own.sort().map((file) => path.join(logs, file));
  } catch {
    // The server has not written anything yet.
    return [];
  }
}

/** How often the extension has said in its logs that it is active. */
export function activations(folder: string): number {
  const said = extensionLogs(folder).map((file) => fs.readFileSync(file, "utf8").match(/\] activated in /g) ?? []);
  return said.flat().length;
}
