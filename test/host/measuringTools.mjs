/** What traced builds need: compilers, MPI and valgrind. */
import fs from "node:fs";
import path from "node:path";
import { canInstall, install } from "./apt.mjs";

/** Programs, and the packages of Debian that have them. */
const needed = {
  "c++": "g++",
  "clang++": "clang",
  make: "make",
  cmake: "cmake",
  valgrind: "valgrind",
  mpirun: "openmpi-bin",
  mpicxx: "libopenmpi-dev",
};

/** Installs what is missing. @throws Error that names it, where it cannot be installed */
export function provideMeasuringTools() {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const isThere = (program) => folders.some((folder) => fs.existsSync(path.join(folder, program)));
  const missing = () => Object.keys(needed).filter((program) => !isThere(program));
  const before = missing();
  if (before.length === 0) return;
  if (canInstall()) {
    console.error(`Installing ${before.join(", ")} with apt-get …`);
    install(before.map((program) => needed[program]));
  }
  const after = missing();
  if (after.length > 0)
    throw new Error(
      `The tests of traced builds need ${after.join(", ")}. Debian: apt-get install ${after.map((program) => needed[program]).join(" ")}`,
    );
}
