/** Random recordings of programs with load modules, libraries, kernels, MPI and code without names. */
import type { Frame } from "../../../../src/model/frames";
import { seeded } from "../random";
import type { Row } from "../treeOf";

type Pick<Item> = (items: readonly Item[]) => Item;

/** What programs are made of: most functions of some are in files, of others in load modules, or in neither. */
interface Style {
  readonly hasFiles: boolean;
  readonly hasModules: boolean;
  readonly modules: number;
  readonly unnamed: number;
  readonly libraries: number;
}

const LIBRARIES = [
  "/usr/lib/x86_64-linux-gnu/libc.so.6",
  "/lib64/ld-linux-x86-64.so.2",
  "/usr/lib/libstdc++.so.6.0.30",
  "/opt/mpi/lib/libmpi.so.40",
  "/opt/them/libgomp.so.1",
  "/usr/lib/libz-1.2.so.1",
  "[vdso]",
];

/** Function names of a kind that a program has. */
function nameOf(at: number, random: () => number): string {
  const kind = random();
  if (kind < 0.1) return `ns::Class${at % 3}::method${at}(int)`;
  if (kind < 0.15) return `step#${at}`;
  if (kind < 0.2) return `void make${at % 4}<T${at}>(T${at}&)`;
  return `f${at}`;
}

/** The frames that a program calls. @param style how it was recorded */
function framesOf(style: Style, random: () => number): Partial<Frame>[] {
  const below = (limit: number) => Math.floor(random() * limit);
  const folders = 1 + below(4);
  const frames: (Partial<Frame> & { name: string })[] = [];
  const functions = 5 + below(style.modules * 6 + 30);
  for (let at = 0; at < functions; at++) {
    const file = style.hasFiles && random() < 0.9 ? `/src/d${below(folders)}/file${below(8)}.c` : undefined;
    const isLibrary = style.hasModules && random() < style.libraries;
    const own = `/home/user/bin/m${below(style.modules)}${random() < 0.3 ? ".so" : ""}`;
    const module = style.hasModules ? (isLibrary ? LIBRARIES[below(LIBRARIES.length)] : own) : undefined;
    const isUnnamed = random() < style.unnamed;
    // Whether numbered names of a library that counts as own are joined is asked elsewhere.
    const named = isLibrary ? `f${at}` : nameOf(at, random);
    const name = isUnnamed ? (random() < 0.8 ? `0x${(4096 + at * 16).toString(16)}` : "[unknown]") : named;
    frames.push({
      name,
      ...(file === undefined || isUnnamed ? {} : { file }),
      ...(module === undefined ? {} : { module }),
      ...(name === "[unknown]" ? { address: at } : {}),
    });
  }
  if (style.hasModules)
    frames.push({ name: "do_syscall", module: "[kernel.kallsyms]" }, { name: "0x7f00", address: 1 });
  if (!style.hasModules) frames.push({ name: "MPI_Send" }, { name: "PMPI_Allreduce" });
  // A function of a name that others have.
  const other = frames.find(({ name }) => !/^(?:0x|\[)/.test(name));
  if (other)
    frames.push({ ...other, ...(style.hasFiles ? { file: "/src/other/same.c" } : { module: "/home/user/bin/same" }) });
  return frames;
}

/**
 * A calling context tree of up to so many contexts, with recursion and several roots. Siblings are of
 * different functions. Costs are whole numbers and none is 0, so that
 * sums are exact and hardly two are equal.
 */
export function randomProgram(seed: number, most = 700): Row[] {
  const random = seeded(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const style: Style = {
    hasFiles: random() < 0.5,
    hasModules: random() < 0.7,
    modules: 1 + below(random() < 0.3 ? 40 : 6),
    unnamed: random() < 0.4 ? random() * 0.5 : 0,
    libraries: random() * 0.4,
  };
  const frames = framesOf(style, random);
  // What calls what is not all chance: some functions are called far more often than others.
  const pick: Pick<Partial<Frame>> = (items) => items[Math.floor(items.length * random() ** 2)];
  const size = 5 + below(random() < 0.2 ? most : Math.min(most, 150));
  const chain = random() < 0.3 ? 0.9 : random() * 0.7;
  const rows: Row[] = [];
  const taken = new Set<string>();
  for (let attempt = 0; attempt < size; attempt++) {
    const at = rows.length;
    const isRoot = at === 0 || random() < 0.02;
    const parent = isRoot ? undefined : random() < chain ? at - 1 : below(at);
    const { name = "", ...frame } = pick(frames);
    const key = JSON.stringify([parent, name, frame.file, frame.module, frame.address]);
    if (taken.has(key)) continue;
    taken.add(key);
    const most = random() < 0.1 ? 2 ** 40 : random() < 0.5 ? 2 ** 30 : 2 ** 34;
    rows.push({ name, parent, exclusive: 1 + below(most), frame });
  }
  return rows;
}
