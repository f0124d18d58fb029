/**
 * `npm start`: VS Code in the browser, with Heatflow installed and the sample program's 8-rank profile open; or
 * `npm start -- FOLDER [RECORDING]`: with that folder, and that recording, a file or folder, which need not lie in it.
 *
 *   --port N        listen there (else on a free port)
 *   --no-password   ask for none: whoever is logged in to this machine gets a shell of yours
 *   --desktop       use the desktop's VS Code (`code`) instead
 *
 * Installs, builds and packages first what is missing or stale. Ctrl-C ends it, and so does SIGTERM, to npm too.
 */
import fs from "node:fs";
import path from "node:path";
import { spawn, spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { miniheat, outputFolder, root } from "./folders.mjs";
import { installHost, installProject } from "./install.mjs";
import { CodeServer } from "./codeServer.mjs";
import { buildAll, packageExtension, packageOpener } from "./packaging.mjs";
import { program } from "./program.mjs";
import { quietSettings } from "./settings.mjs";

const usage = `npm start -- [FOLDER [RECORDING]] [--port N] [--no-password] [--desktop]

A VS Code of its own on a folder of source code with a recording open; on the sample program where none is given.
  --port N        listens there; else a free port is chosen
  --no-password   whoever is logged in to the machine gets a shell
  --desktop       the desktop VS Code, where "code" is installed`;

const sampleProfile = path.join(miniheat, "profiles", "profile-8ranks.cali");

await program(async () => {
  const { values, positionals } = parseArgs({
    options: {
      desktop: { type: "boolean" },
      port: { type: "string", default: "0" },
      "no-password": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  if (values.help) return console.log(usage);
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Error(`--port ${values.port} is no port.`);
  const opened = whatToOpen(positionals);
  installProject();
  await (values.desktop ? openDesktop(opened) : openServer(opened, port, values["no-password"]));
});

/** The folder and the recording that are asked for: the sample program where none is. */
function whatToOpen([folder, recording, ...more]) {
  if (more.length > 0) throw new Error("At most a folder and a recording: npm start -- FOLDER [RECORDING]");
  if (folder === undefined) return { isSample: true, folder: miniheat, recording: sampleProfile };
  // npm runs scripts in the project's folder; paths are the caller's.
  const resolved = (name) => path.resolve(process.env.INIT_CWD ?? process.cwd(), name);
  if (!fs.statSync(resolved(folder), { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${folder} is no folder; a recording comes after its folder: npm start -- FOLDER [RECORDING]`);
  if (recording !== undefined && !fs.existsSync(resolved(recording))) throw new Error(`${recording} is not there.`);
  return { isSample: false, folder: resolved(folder), recording: recording && resolved(recording) };
}

/** @param {number} port 0: a free one */
async function openServer({ isSample, folder, recording }, port, open) {
  if (process.platform === "win32") throw new Error("code-server does not run on Windows: use npm start -- --desktop.");
  installHost();
  const server = new CodeServer({
    folder: path.join(outputFolder, "start"),
    settings: quietSettings,
    extensions: [packageExtension(), packageOpener()],
    // The sample program is ours; any other folder begins in Restricted Mode, as VS Code has it.
    trustAll: isSample,
    port,
    open,
    workspace: folder,
    env: { HEATFLOW_START_FOLDER: folder, HEATFLOW_START_RECORDING: recording ?? "" },
  });
  const interrupted = new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, resolve);
    whenNpmEnds(resolve);
  });
  try {
    await server.start();
    console.log(`\nHeatflow is open at\n\n  ${server.address()}\n`);
    console.log(
      server.password === undefined
        ? "It asks for no password: others who are logged in to this machine can open it too, and get a shell of yours."
        : `Its password, for this time only:\n\n  ${server.password}\n`,
    );
    console.log("Ctrl-C ends it.");
    const reason = await Promise.race([server.ended, interrupted.then(() => undefined)]);
    if (reason !== undefined) throw new Error(`code-server ended by itself (${reason}); its log: ${server.log}`);
  } finally {
    await server.stop();
  }
}

/** The shell between npm and this program keeps a SIGTERM of npm to itself: that npm ended shows only in another parent. */
function whenNpmEnds(call) {
  if (process.env.npm_lifecycle_event !== "start") return;
  const parent = process.ppid;
  const watching = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watching);
    call();
  }, 500);
  watching.unref();
}

async function openDesktop({ folder, recording }) {
  const code = process.platform === "win32" ? "code.cmd" : "code";
  const shell = process.platform === "win32"; // .cmd files run in a shell only
  if (spawnSync(code, ["--version"], { shell }).status !== 0)
    throw new Error("`code` is not in PATH: install VS Code and its shell command, or leave out --desktop.");
  buildAll();
  const opened = recording === undefined ? [folder] : [folder, recording];
  const window = spawn(code, ["--new-window", "--wait", `--extensionDevelopmentPath=${root}`, ...opened], {
    shell,
    stdio: "inherit",
  });
  console.log("VS Code is open; close its window to end.");
  await new Promise((resolve, reject) => window.once("exit", resolve).once("error", reject));
}
