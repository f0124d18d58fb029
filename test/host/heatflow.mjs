/**
 * `npm run -s heatflow -- graph DATA …`: the command line from source, built first where it is stale. Prints nothing of its
 * own on the output stream, and runs in the folder that npm was called from.
 */
import path from "node:path";
import { spawnSync } from "node:child_process";
import { root } from "./folders.mjs";
import { installProject } from "./install.mjs";
import { buildAll } from "./packaging.mjs";
import { program } from "./program.mjs";

await program(() => {
  installProject();
  buildAll();
  const { status, signal } = spawnSync(
    process.execPath,
    [path.join(root, "dist", "cli.js"), ...process.argv.slice(2)],
    {
      // npm runs scripts in the project's folder; paths on the command line are the caller's.
      cwd: process.env.INIT_CWD ?? process.cwd(),
      stdio: "inherit",
    },
  );
  if (signal) process.kill(process.pid, signal);
  return status ?? 1;
});
