/** The packaged extension as VS Code has installed it: a window that begins with a copy of that need not install it itself. */
import fs from "node:fs";
import path from "node:path";
import { CodeServer } from "./codeServer.mjs";
import { outputFolder } from "./folders.mjs";
import { packageExtension } from "./packaging.mjs";

let installed;

/** Packages and installs what is stale, once a process. @returns the folder of extensions */
export function installedExtension() {
  installed ??= install(packageExtension());
  return installed;
}

function install(vsix) {
  const folder = path.join(outputFolder, "installed");
  const mark = path.join(folder, "packaged-at");
  const packagedAt = String(fs.statSync(vsix).mtimeMs);
  if (!fs.existsSync(mark) || fs.readFileSync(mark, "utf8") !== packagedAt) {
    fs.rmSync(folder, { recursive: true, force: true });
    new CodeServer({ folder, settings: {}, extensions: [vsix] }).install();
    fs.writeFileSync(mark, packagedAt);
  }
  return path.join(folder, "extensions");
}
