/** The engine's worker, and the reader that it starts, as the extension bundles them, for what starts one by itself. */
import { createRequire } from "node:module";
import path from "node:path";
import { build, type Plugin } from "esbuild";

export async function bundleWorker(outfile: string, plugins: Plugin[] = []): Promise<void> {
  await bundled("src/engine/thread/worker.ts", outfile, plugins);
  await bundleReader(path.join(path.dirname(outfile), "reader.js"));
}

/** A thread that reads files. */
export async function bundleReader(outfile: string): Promise<void> {
  await bundled("src/engine/readers/reader.ts", outfile, []);
}

async function bundled(entryPoint: string, outfile: string, plugins: Plugin[]): Promise<void> {
  await build({
    entryPoints: [entryPoint],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
    alias: { "web-tree-sitter": createRequire(import.meta.url).resolve("web-tree-sitter") },
    plugins,
  });
}
