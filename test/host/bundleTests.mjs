/**
 * Bundles the tests that run outside vitest, a file each, into dist/ beside this rig's packages, where mocha and playwright-core
 * resolve. Those in VS Code are CommonJS, as its extension host wants it.
 */
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { hostFolder, root } from "./folders.mjs";

/** Where the bundled files of a folder of test/ lie. */
export function testsFolder(name) {
  return path.join(hostFolder, "dist", name);
}

/** @param {"vscode" | "e2e" | "bench"} name a folder of test/ */
export async function bundleTests(name) {
  const sources = path.join(root, "test", name);
  const files = fs.readdirSync(sources).filter((file) => /^index\.ts$|\.(test|e2e)\.ts$/.test(file));
  fs.rmSync(testsFolder(name), { recursive: true, force: true });
  await build({
    entryPoints: files.map((file) => path.join(sources, file)),
    outdir: testsFolder(name),
    bundle: true,
    // The files of a process share its window.
    splitting: name === "e2e",
    platform: "node",
    target: "node20",
    format: name === "vscode" ? "cjs" : "esm",
    outExtension: name === "vscode" ? {} : { ".js": ".mjs" },
    packages: "external",
    // The bench draws panels in a page of its own, as test/webview does.
    ...(name === "bench" ? { alias: { vscode: path.join(root, "test", "webview", "fakeVsCode.ts") } } : {}),
    external: name === "bench" ? [] : ["vscode"],
    plugins: [rigAsItIs],
    sourcemap: "inline",
    logLevel: "warning",
    // That stand-in has only what a panel needs to be drawn.
    logOverride: { "import-is-undefined": "silent" },
  });
}

/** The rig's own modules find their folder by import.meta.url: they are imported where they lie. */
const rigAsItIs = {
  name: "rig-as-it-is",
  setup: (bundling) =>
    bundling.onResolve({ filter: /\/host\/\w+\.mjs$/ }, ({ path: file }) => ({
      path: `../../${path.basename(file)}`,
      external: true,
    })),
};
