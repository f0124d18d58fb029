/** `npm run package`: builds the bundles, and the .vsix where it is older than what goes into it. */
import fs from "node:fs";
import path from "node:path";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { hostFolder, root } from "./folders.mjs";
import { program } from "./program.mjs";

/** The packaged extension. */
export const vsix = path.join(root, "dist", "heatflow.vsix");

export function buildAll() {
  run(["esbuild.mjs", "--if-stale", "--quiet"], root, "The build failed.");
}

/** Builds and packages what is stale. @returns the .vsix */
export function packageExtension() {
  buildAll();
  const ingredients = [
    "dist/.built",
    "package.json",
    ".vscodeignore",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "docs",
    "media",
    "schemas",
    "syntaxes",
    "tracker",
  ];
  return packageFolder(root, vsix, ingredients);
}

/** Packages the extension that opens the recording in the window of `npm start`. @returns its .vsix */
export function packageOpener() {
  const folder = path.join(hostFolder, "opener");
  return packageFolder(folder, path.join(root, "dist", "opener.vsix"), fs.readdirSync(folder));
}

function packageFolder(folder, vsix, ingredients) {
  const files = ingredients.flatMap((name) => filesOf(path.join(folder, name)));
  const modified = (file) => fs.statSync(file).mtimeMs;
  if (fs.existsSync(vsix) && files.every((file) => modified(file) < modified(vsix))) return vsix;
  const vsce = path.join(root, "node_modules", "@vscode", "vsce", "vsce");
  const flags = ["--no-dependencies", "--allow-missing-repository", "--skip-license", "--no-rewrite-relative-links"];
  run([vsce, "package", ...flags, "--out", vsix], folder, "Packaging failed.");
  return vsix;
}

/** A file and, of a folder, everything inside: a folder's own time does not change with its files' contents. */
function filesOf(file) {
  if (!fs.existsSync(file)) return [];
  if (!fs.statSync(file).isDirectory()) return [file];
  return [file, ...fs.readdirSync(file, { recursive: true }).map((inside) => path.join(file, inside))];
}

function run(args, folder, failure) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  if (error) throw error;
  if (status !== 0) throw new Error(`${stdout}${stderr}\n${failure}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await program(() => {
    const file = packageExtension();
    console.log(`${path.relative(process.cwd(), file)}  ${(fs.statSync(file).size / 1e6).toFixed(2)} MB`);
  });
}
