/**
 * Bundles everything into dist/: the extension host's code in parts, the engine's worker, the command line, one script a panel,
 * the parser's WebAssembly, and the licences of all that. `--if-stale` does nothing when dist/ is newer than every source;
 * `--quiet` prints errors only.
 */
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
process.chdir(root);

const flags = new Set(process.argv.slice(2));
const stamp = "dist/.built";
const sources = ["src", "webviews", "esbuild.mjs", "package.json", "package-lock.json"];
const bundledPackages = new Set(["web-tree-sitter"]);

/** What panels in a bundle of their own share with all others stays in the panels' bundle, of which it is asked for. */
const sharedPanels = {
  name: "shared-panels",
  setup: ({ onResolve }) => onResolve({ filter: /^\.\.?\/shared$/ }, () => ({ path: "./panels.js", external: true })),
};

if (!flags.has("--if-stale") || isStale()) {
  const started = new Date();
  try {
    await bundleNode();
    await bundlePanels();
    copyParsers();
    writeLicences();
    fs.writeFileSync(stamp, "");
    // Sources that were saved while esbuild ran count as newer.
    fs.utimesSync(stamp, started, started);
  } catch (error) {
    // esbuild has printed its errors with their places.
    if (!error.errors) throw error;
    process.exitCode = 1;
  }
}

/** Whether a source, or a folder in which one was added or removed, is newer than the last build. */
function isStale() {
  if (!fs.existsSync(stamp)) return true;
  const built = fs.statSync(stamp).mtimeMs;
  const pending = [...sources];
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    const status = fs.statSync(entry);
    if (status.mtimeMs > built) return true;
    if (status.isDirectory()) for (const name of fs.readdirSync(entry)) pending.push(path.join(entry, name));
  }
  return false;
}

/** What runs in Node: CommonJS, since the extension host loads nothing else in VS Code 1.100. */
async function bundleNode() {
  const node = {
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["vscode"],
    alias: {
      // The package's ES module asks for import.meta.url, which CommonJS has not; its .cjs does not.
      "web-tree-sitter": require.resolve("web-tree-sitter"),
      // What its manifest calls main asks for its parts in a way that no bundler sees.
      "jsonc-parser": require.resolve("jsonc-parser/lib/esm/main.js"),
    },
    // Names stay readable in the stack traces that users send.
    minifyWhitespace: true,
    minifySyntax: true,
  };
  // Functions and classes keep theirs, what is within them does not: three quarters of the size.
  const named = { minifyIdentifiers: true, keepNames: true };
  await bundle({ ...node, ...named, entryPoints: { extension: "src/extension.ts" } }, { mostKilobytes: 200 });
  // Loaded when the first panel opens.
  await bundle({ ...node, ...named, entryPoints: { panels: "src/panels/panels.ts" } }, { mostKilobytes: 300 });
  // Loaded by it when the first panel of an ensemble is asked for.
  const ensembles = {
    ...node,
    ...named,
    plugins: [sharedPanels],
    entryPoints: { ensembles: "src/panels/ensembles.ts" },
  };
  await bundle(ensembles, { mostKilobytes: 120, without: /^src\/panels\/(kit|superGraph)\// });
  // Loaded when the first task is asked for.
  await bundle({ ...node, ...named, entryPoints: { tasks: "src/tasks/tasks.ts" } }, { mostKilobytes: 120 });
  await bundle({ ...node, entryPoints: { worker: "src/engine/thread/worker.ts" } });
  await bundle({ ...node, entryPoints: { reader: "src/engine/readers/reader.ts" } });
  await bundle({ ...node, entryPoints: { cli: "src/cli.ts" }, banner: { js: "#!/usr/bin/env node" } }, { mode: 0o755 });
}

/** One script, and where it imports CSS one style sheet, for each panel's folder. */
async function bundlePanels() {
  const panels = fs
    .readdirSync("webviews", { withFileTypes: true })
    .filter((folder) => folder.isDirectory() && fs.existsSync(path.join("webviews", folder.name, "main.ts")))
    .map((folder) => [folder.name, path.join("webviews", folder.name, "main.ts")]);
  await bundle({
    entryPoints: Object.fromEntries(panels),
    outdir: "dist/webviews",
    platform: "browser",
    format: "iife",
    target: "es2022",
    // Icons.
    loader: { ".svg": "text" },
    minify: true,
  });
}

/** Bundles, and replaces each output in one step: several processes may build, and run what is built, at once. */
async function bundle(options, { mode = 0o644, mostKilobytes = Infinity, without } = {}) {
  // While the project is being put together.
  for (const file of Object.values(options.entryPoints))
    if (!fs.existsSync(file)) return console.error(`no ${file} yet`);
  const { outputFiles, metafile } = await build({
    bundle: true,
    outdir: "dist",
    sourcemap: true,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    write: false,
    ...options,
  });
  for (const input of Object.keys(metafile.inputs)) {
    const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input) ?? [];
    if (name) bundledPackages.add(name);
    if (without?.test(input))
      throw new Error(`${Object.keys(options.entryPoints).join()} would hold ${input} once more`);
  }
  for (const file of outputFiles) {
    const kilobytes = Math.ceil(file.contents.length / 1000);
    if (!file.path.endsWith(".map") && kilobytes > mostKilobytes)
      throw new Error(`${path.relative(root, file.path)} has ${kilobytes} kB, ${mostKilobytes} at most`);
    replace(file.path, file.contents, mode);
    if (!flags.has("--quiet") && !file.path.endsWith(".map"))
      console.log(`${path.relative(root, file.path)}  ${kilobytes} kB`);
  }
}

function copyParsers() {
  const parser = path.dirname(require.resolve("web-tree-sitter"));
  replace("dist/web-tree-sitter.wasm", fs.readFileSync(path.join(parser, "web-tree-sitter.wasm")), 0o644);
  for (const language of ["c", "cpp", "python"]) {
    const grammar = `tree-sitter-${language}`;
    replace(`dist/${grammar}.wasm`, fs.readFileSync(require.resolve(`${grammar}/${grammar}.wasm`)), 0o644);
    bundledPackages.add(grammar);
  }
}

/** The licence of every package of which something lies in dist/, as those licences ask for. */
function writeLicences() {
  const texts = [...bundledPackages].sort().map((name) => {
    const folder = path.join("node_modules", name);
    const { version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
    const file = fs.readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? "" : fs.readFileSync(path.join(folder, file), "utf8").trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  replace("dist/LICENCES.txt", texts.join(`\n${"-".repeat(80)}\n\n`), 0o644);
}

function replace(file, contents, mode) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  fs.writeFileSync(temporary, contents, { mode });
  fs.renameSync(temporary, file);
}
