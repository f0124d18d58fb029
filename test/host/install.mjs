/**
 * Brings a fresh clone to where tests can run: packages of the project and of this rig, code-server's own packages, its
 * compiled modules. Each step looks first whether it is needed. Needs nothing but Node and npm.
 */
import fs from "node:fs";
import path from "node:path";
import { spawnSync } from "node:child_process";
import { hostFolder, outputFolder, root } from "./folders.mjs";
import { codeServerFolder, serverNode } from "./codeServer.mjs";

/** Installs the project's packages where they are not those of its lock file. */
export function installProject() {
  alone(() => installLocked(root, "the project's packages"));
}

/** Installs the rig's packages and completes code-server (about 600 MB, once). */
export function installHost() {
  alone(() => {
    installLocked(hostFolder, "VS Code for the tests (about 600 MB, once)");
    completeCodeServer();
  });
}

/** Two npm in one folder break each other: who comes second waits. What a process left that was ended does not count. */
function alone(install) {
  const mark = path.join(outputFolder, "installing");
  fs.mkdirSync(outputFolder, { recursive: true });
  for (let isFirst = true; !take(mark); isFirst = false) {
    if (isFirst) console.error("Waiting for another process that is installing …");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  }
  try {
    install();
  } finally {
    fs.rmSync(mark, { force: true });
  }
}

/** @returns whether this process may install now */
function take(mark) {
  try {
    fs.writeFileSync(mark, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  if (!isRunning(Number(fs.readFileSync(mark, "utf8")))) fs.rmSync(mark, { force: true });
  return false;
}

function isRunning(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    // Of another user.
    return error.code === "EPERM";
  }
}

function installLocked(folder, what) {
  if (isInstalled(folder)) return;
  console.error(`Installing ${what} …`);
  npm(["ci", "--loglevel=error"], folder, { stdio: ["ignore", 2, 2] });
}

/** Whether node_modules holds what package-lock.json says, going by npm's own record of what it installed. */
function isInstalled(folder) {
  const record = path.join(folder, "node_modules", ".package-lock.json");
  if (!fs.existsSync(record)) return false;
  const installed = JSON.parse(fs.readFileSync(record, "utf8")).packages;
  const locked = JSON.parse(fs.readFileSync(path.join(folder, "package-lock.json"), "utf8")).packages;
  return Object.entries(locked).every(
    // Optional packages of other platforms are not there.
    ([name, { integrity, optional }]) =>
      name === "" || (installed[name] ? installed[name].integrity === integrity : optional === true),
  );
}

/**
 * VS Code's server comes as a package in a package, whose dependencies its install script would fetch. That script insists
 * on one major of Node and compiles modules that need further libraries; so it is done here without scripts, and only
 * the two modules are compiled of which something is seen: without spdlog log channels stay empty, and native-watchdog
 * ends extension hosts that lost their server.
 */
function completeCodeServer() {
  const server = path.join(codeServerFolder(), "lib", "vscode");
  const stamp = path.join(server, "node_modules", ".complete");
  if (fs.existsSync(stamp)) return;
  console.error("Completing VS Code's server: compiles two modules (minutes, once) …");
  // Its shrinkwrap is out of step with its package.json, so `npm ci` would refuse.
  npm(["install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], server, {
    stdio: ["ignore", 2, 2],
  });
  const modules = [
    ["@vscode/spdlog", "build/Release/spdlog.node"],
    ["@vscode/native-watchdog", "build/Release/watchdog.node"],
  ];
  const node = serverNode();
  const nodeFolder = path.dirname(path.dirname(node));
  const hasHeaders = fs.existsSync(path.join(nodeFolder, "include", "node", "node_api.h"));
  const compiled = npm(
    ["rebuild", ...modules.map(([name]) => name), "--ignore-scripts=false", "--loglevel=error"],
    server,
    {
      encoding: "utf8",
      allowFailure: true,
      env: {
        npm_config_ignore_scripts: "false",
        PATH: path.dirname(node) + path.delimiter + process.env.PATH,
        // The server's Node brings its C++ headers along: nothing is downloaded.
        ...(hasHeaders && { npm_config_nodedir: nodeFolder, npm_package_config_node_gyp_nodedir: nodeFolder }),
      },
    },
  );
  const missing = modules.filter(([name, file]) => !fs.existsSync(path.join(server, "node_modules", name, file)));
  if (missing.length > 0) {
    const names = missing.map(([name]) => name).join(" and ");
    console.warn(`${compiled.stderr ?? ""}\nCould not compile ${names} (make, g++ and python3 are needed):`);
    console.warn("everything works but log channels, which stay empty.");
  }
  fs.writeFileSync(stamp, "");
}

/** Runs npm. What an outer `npm run` passes down in its environment must not steer an install in another folder. */
function npm(args, folder, { env = {}, allowFailure = false, ...options } = {}) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_(config_(local_prefix|prefix|package_lock|workspace)|package_|lifecycle_)/i.test(name),
  );
  const [file, ...first] = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ["npm"];
  const result = spawnSync(file, [...first, ...args], {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), ...env },
    ...options,
  });
  if (result.error) throw result.error;
  if (result.status !== 0 && !allowFailure)
    throw new Error(`npm ${args[0]} failed in ${path.relative(root, folder) || "the project's folder"}.`);
  return result;
}
