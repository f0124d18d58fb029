/**
 * VS Code as code-server runs it: its server, extension host and web workbench, on 127.0.0.1. Needs nothing but Node and
 * the package. Each server has folders of its own for user data, extensions and sockets; nothing is written to the home folder.
 * It asks for a password, made anew for each: its terminal is a shell, and other users of the machine reach 127.0.0.1 too.
 *
 * HEATFLOW_SERVER_NODE names another Node for the server (22.15 or newer), HEATFLOW_DEBUG=1 prints what it prints.
 */
import fs from "node:fs";
import path from "node:path";
import { spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { hostFolder, socketFolder } from "./folders.mjs";

export function codeServerFolder() {
  return path.join(hostFolder, "node_modules", "code-server");
}

/** The Node that runs the server: the rig's own, where there is one for this platform, else the running one. */
export function serverNode() {
  if (process.env.HEATFLOW_SERVER_NODE) return process.env.HEATFLOW_SERVER_NODE;
  const own = path.join(hostFolder, "node_modules", `node-${process.platform}-${process.arch}`, "bin", "node");
  if (fs.existsSync(own)) return own;
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 15)) return process.execPath;
  throw new Error(
    `VS Code's server needs Node 22.15 or newer here, this is ${process.version}: set HEATFLOW_SERVER_NODE to one.`,
  );
}

export class CodeServer {
  #process;
  #sockets;
  #isInstalled = false;
  #onExit = () => this.#end();

  /**
   * @param {object} options
   * @param {string} options.folder where user data, extensions and the log go
   * @param {Record<string, unknown>} options.settings user settings, written where the folder has none yet
   * @param {string[]} [options.extensions] packaged extensions to install before the first start
   * @param {string} [options.installed] the folder of extensions of another server: this one begins with a copy of it
   * @param {string[]} [options.builtIn] those of VS Code's own extensions that it has, by folder; absent: all
   * @param {string} [options.workspace] the folder that the bare address opens
   * @param {boolean} [options.development] heed an extension under development and its tests
   * @param {boolean} [options.trustAll] no workspace is asked about
   * @param {number} [options.port] 0: a free one
   * @param {boolean} [options.open] no password: whoever is logged in to the machine gets a shell
   * @param {Record<string, string>} [options.env] more environment for the server and the extension host
   */
  constructor(options) {
    this.options = options;
    this.userData = path.join(options.folder, "user-data");
    this.extensions = path.join(options.folder, "extensions");
    this.log = path.join(options.folder, "server.log");
    /** What the window asks for; undefined where it asks for nothing. */
    this.password = options.open ? undefined : randomBytes(12).toString("base64url");
    for (const folder of [this.userData, this.extensions]) fs.mkdirSync(folder, { recursive: true });
  }

  /** Installs the packaged extensions, unless that is done. {@link start} begins with it. */
  install() {
    if (this.#isInstalled) return;
    const { extensions = [], installed } = this.options;
    if (installed) fs.cpSync(installed, this.extensions, { recursive: true });
    if (extensions.length > 0) {
      const args = [...extensions.flatMap((vsix) => ["--install-extension", vsix]), "--force"];
      this.#sockets = socketFolder();
      const { status, stdout, stderr } = spawnSync(serverNode(), [...this.#arguments(), ...args], {
        encoding: "utf8",
        env: this.#environment(),
      });
      this.#end();
      if (status !== 0) throw new Error(`code-server ${args.join(" ")} failed:\n${stdout}${stderr}`);
    }
    this.#isInstalled = true;
  }

  /** @param {number} [port] to listen on; else that of the options, else a free one */
  async start(port = this.options.port ?? 0) {
    const { workspace, development = false, trustAll = false } = this.options;
    this.install();
    this.port = undefined;
    this.#sockets = socketFolder();
    if (!fs.existsSync(this.#settings)) this.writeSettings();
    process.once("exit", this.#onExit);
    this.#process = spawn(
      serverNode(),
      [
        ...this.#arguments(),
        "--auth",
        this.password === undefined ? "none" : "password",
        "--bind-addr",
        `127.0.0.1:${port}`,
        ...this.#builtIn(),
        "--disable-telemetry",
        "--disable-update-check",
        "--disable-getting-started-override",
        "--disable-proxy",
        ...(trustAll ? ["--disable-workspace-trust"] : []),
        // The built workbench ignores extensions under development, and their tests, without this.
        ...(development ? ["--vscode-option", "enable-smoke-test-driver"] : []),
        ...(workspace ? ["--ignore-last-opened", workspace] : []),
      ],
      // A process group of its own, so that extension host and terminals end with it, and Ctrl-C is ours to handle.
      { env: this.#environment(), stdio: ["ignore", "pipe", "pipe"], detached: true },
    );
    this.ended = new Promise((resolve) => this.#process.once("exit", (code, signal) => resolve(signal ?? code)));
    this.port = await this.#listening();
  }

  /** Writes the user settings as they were given, whatever they are now. */
  writeSettings() {
    fs.mkdirSync(path.dirname(this.#settings), { recursive: true });
    fs.writeFileSync(this.#settings, JSON.stringify(this.options.settings, undefined, 2));
  }

  /** Ends the server with everything that it started. */
  async stop() {
    if (this.#process?.exitCode === null && this.#process.signalCode === null) {
      this.#signal("SIGTERM");
      const late = setTimeout(() => this.#signal("SIGKILL"), 5000);
      await this.ended;
      clearTimeout(late);
    }
    this.#end();
    process.removeListener("exit", this.#onExit);
  }

  /**
   * The window's address.
   *
   * @param {string} [folder] to open; none: the server's workspace
   * @param {Record<string, string>} [payload] VS Code's own options
   */
  address(folder, payload = {}) {
    const query = new URLSearchParams(folder ? { folder } : {});
    if (Object.keys(payload).length > 0) query.set("payload", JSON.stringify(Object.entries(payload)));
    return `http://127.0.0.1:${this.port}/${query.size > 0 ? `?${query}` : ""}`;
  }

  /** A file of this machine as the window names it. */
  remote(file) {
    return `vscode-remote://127.0.0.1:${this.port}${file.split("/").map(encodeURIComponent).join("/")}`;
  }

  get #settings() {
    return path.join(this.userData, "User", "settings.json");
  }

  #arguments() {
    // Without a file of ours, one in the home folder would be read, or written.
    const config = path.join(this.userData, "code-server.yaml");
    fs.writeFileSync(config, "");
    return [
      path.join(codeServerFolder(), "out", "node", "entry.js"),
      "--config",
      config,
      "--user-data-dir",
      this.userData,
      "--extensions-dir",
      this.extensions,
      "--session-socket",
      path.join(this.#sockets, "session"),
    ];
  }

  /** Of the extensions that VS Code comes with, some start with every window, and take a quarter of its time. */
  #builtIn() {
    const { builtIn, folder } = this.options;
    if (!builtIn) return [];
    const links = path.join(folder, "built-in");
    fs.mkdirSync(links, { recursive: true });
    for (const name of builtIn) {
      const link = path.join(links, name);
      const own = path.join(codeServerFolder(), "lib", "vscode", "extensions", name);
      if (!fs.existsSync(own)) throw new Error(`VS Code has no extension ${name} of its own.`);
      if (!fs.existsSync(link)) fs.symlinkSync(own, link);
    }
    return ["--vscode-option", `builtin-extensions-dir=${links}`];
  }

  #environment() {
    // Variables of a VS Code around us, or of another code-server, must not reach this one.
    const foreign = /^(VSCODE_|CODE_SERVER|CS_|PASSWORD$|HASHED_PASSWORD$|PORT$|NODE_OPTIONS$|ELECTRON_)/;
    return {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))),
      // No extension gallery is asked.
      EXTENSIONS_GALLERY: '{"serviceUrl":""}',
      ...privateFolders(this.#sockets),
      // Not PASSWORD: that would be hashed slowly again with each request, and 96 random bits need no slow hash.
      ...(this.password !== undefined && { HASHED_PASSWORD: createHash("sha256").update(this.password).digest("hex") }),
      ...this.options.env,
    };
  }

  #listening() {
    const log = fs.createWriteStream(this.log);
    let text = "";
    return new Promise((resolve, reject) => {
      const read = (data) => {
        log.write(data);
        if (process.env.HEATFLOW_DEBUG) process.stderr.write(data);
        if (this.port) return;
        text += data;
        const listening = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(text);
        if (listening) resolve(Number(listening[1]));
      };
      this.#process.stdout.on("data", read);
      this.#process.stderr.on("data", read);
      this.#process.once("error", reject);
      void this.ended.then((reason) => reject(new Error(`code-server ended (${reason}):\n${text}`)));
    });
  }

  #signal(signal) {
    try {
      if (this.#process?.pid) process.kill(-this.#process.pid, signal);
    } catch {
      // The group is gone already.
    }
  }

  #end() {
    // Whatever of the group outlived its leader.
    this.#signal("SIGKILL");
    fs.rmSync(this.#sockets, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Environment that keeps sockets, heartbeats and crash reports of a server or browser in one folder. */
export function privateFolders(folder) {
  const environment = {
    TMPDIR: path.join(folder, "t"),
    XDG_RUNTIME_DIR: path.join(folder, "t"),
    XDG_DATA_HOME: path.join(folder, "data"),
    XDG_CONFIG_HOME: path.join(folder, "config"),
    XDG_CACHE_HOME: path.join(folder, "cache"),
  };
  for (const path of Object.values(environment)) fs.mkdirSync(path, { recursive: true, mode: 0o700 });
  return environment;
}
