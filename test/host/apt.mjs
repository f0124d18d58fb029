/** Packages of Debian and Ubuntu, installed as root only. */
import fs from "node:fs";
import { spawnSync } from "node:child_process";

export function canInstall() {
  return process.platform === "linux" && process.getuid?.() === 0 && fs.existsSync("/etc/debian_version");
}

/** @throws Error that names what is missing */
export function install(packages) {
  apt(["update"], packages);
  apt(["install", "--yes", "--no-install-recommends", ...packages], packages);
}

function apt(args, packages) {
  const { status, error } = spawnSync("apt-get", ["-qq", ...args], {
    stdio: ["ignore", 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (error) throw error;
  if (status !== 0)
    throw new Error(`apt-get ${args.join(" ")} failed, and there is no ${packages.join(", ")} without it.`);
}
