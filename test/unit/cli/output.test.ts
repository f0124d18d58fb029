import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { miniheat } from "../../recordings";
import { grammars } from "../engine/miniheat";

let folder: string;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-cli-"));
  await build({
    entryPoints: ["src/cli.ts"],
    outfile: path.join(folder, "cli.js"),
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
    alias: { "web-tree-sitter": createRequire(import.meta.url).resolve("web-tree-sitter") },
  });
  for (const file of Object.values(grammars)) fs.copyFileSync(file, path.join(folder, path.basename(file)));
});

afterAll(() => fs.rmSync(folder, { recursive: true }));

it("ends quietly when nobody reads the output any more", async () => {
  const recording = path.join(miniheat, "profiles/profile-8ranks.cali");
  const args = [path.join(folder, "cli.js"), "graph", recording, "--source", path.join(miniheat, "src"), "--json"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  const ended = new Promise((resolve) => child.on("close", resolve));
  expect(await text(child.stderr)).toBe("");
  expect(await ended).toBe(0);
});
