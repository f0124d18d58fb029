/** The browser: one that is there, else, as root on Debian or Ubuntu, one that apt installs. */
import fs from "node:fs";
import path from "node:path";
import { canInstall, install } from "./apt.mjs";

/** First the one without windows of its own, where Debian has it: an eighth less of the processor's time. */
const headless = "chromium-headless-shell";
const names = [headless, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const macApplications = ["Chromium.app/Contents/MacOS/Chromium", "Google Chrome.app/Contents/MacOS/Google Chrome"];

/** The path of a Chromium, `HEATFLOW_CHROMIUM` first; undefined where there is none. */
export function findChromium() {
  const chosen = process.env.HEATFLOW_CHROMIUM;
  if (chosen) {
    if (fs.existsSync(chosen)) return chosen;
    throw new Error(`HEATFLOW_CHROMIUM is ${chosen}, which is not there.`);
  }
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => folder !== "");
  const candidates = [
    ...names.flatMap((name) => folders.map((folder) => path.join(folder, name))),
    ...macApplications.map((application) => path.join("/Applications", application)),
  ];
  return candidates.find((file) => fs.existsSync(file));
}

/** Finds or installs a Chromium. @throws Error that names what is missing */
export function provideChromium() {
  const found = findChromium();
  if (found) return found;
  if (canInstall()) {
    console.error("Installing Chromium with apt-get …");
    try {
      install([headless]);
    } catch {
      install(["chromium"]);
    }
    const installed = findChromium();
    if (installed) return installed;
  }
  throw new Error(
    `No Chromium: none of ${names.join(", ")} is in PATH. Install one (Debian: apt-get install chromium-headless-shell), ` +
      "or set HEATFLOW_CHROMIUM to its path.",
  );
}
