/** The engine's worker as the extension bundles it, for what starts one by itself. */
import { createRequire } from "node:module";
import { build, type Plugin } from "esbuild";

export async function bundleWorker(outfile: string, plugins: Plugin[] = []): Promise<void> {
  await build({
    entryPoints: ["src/engine/thread/worker.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
    alias: { "web-tree-sitter": createRequire(import.meta.url).resolve("web-tree-sitter") },
    plugins,
  });
}
