/** `npm run package`: builds the bundles, and the .vsix where it is older than they are. */
import fs from "node:fs";
import path from "node:path";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { root } from "./folders.mjs";

/** The packaged extension. */
export const vsix = path.join(root, "dist", "heatflow.vsix");

export function buildAll() {
  run(["esbuild.mjs", "--if-stale", "--quiet"], "The build failed.");
}

/** Builds and packages what is stale. @returns the .vsix */
export function packageExtension() {
  buildAll();
  const ingredients = ["dist/.built", "package.json", ".vscodeignore", "README.md", "CHANGELOG.md", "LICENSE", "media"];
  const isFresh = fs.existsSync(vsix) && ingredients.every((file) => modified(file) < fs.statSync(vsix).mtimeMs);
  if (!isFresh) run(["node_modules/@vscode/vsce/vsce", ...packageArguments], "Packaging failed.");
  return vsix;
}

const packageArguments = [
  ...["package", "--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links"],
  ...["--out", path.relative(root, vsix)],
];

function modified(file) {
  const full = path.join(root, file);
  return fs.existsSync(full) ? fs.statSync(full).mtimeMs : 0;
}

function run(args, failure) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  if (error) throw error;
  if (status !== 0) throw new Error(`${stdout}${stderr}\n${failure}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = packageExtension();
  console.log(`${path.relative(process.cwd(), file)}  ${(fs.statSync(file).size / 1e6).toFixed(2)} MB`);
}
