/** Owner of a load module's code, by its path: the kernel, a library, or the program (semantics 2, rule 7). */
export { isKernelModule } from "../../model/kernelModules";

const SYSTEM_FOLDER = /^(?:\/usr)?\/(?:lib|lib64|libx32|libexec)\//;

/** Run-time libraries, wherever they lie: of C, C++, OpenMP, MPI and its transports, mathematics of compilers, measuring tools. */
const RUNTIME = new RegExp(
  `^(?:${[
    "ld",
    "ld-linux[^.]*",
    "libc",
    "libm",
    "libpthread",
    "librt",
    "libdl",
    "libstdc\\+\\+",
    "libgcc_s",
    "libgomp",
    "libomp",
    "libiomp5",
    "libmpi\\w*",
    "libmpich\\w*",
    "libopen-(?:pal|rte)",
    "libpsm\\w*",
    "libinfinipath",
    "libmlx\\w*",
    "libibverbs",
    "mca_\\w+",
    "libuc[tpm]",
    "libfabric",
    "libintlc",
    "libimf",
    "libsvml",
    "libcuda\\w*",
    "libmonitor",
    "libhpcrun\\w*",
    "libcaliper\\w*",
    "vgpreload\\w*",
  ].join("|")})(?:[-.]|$)`,
);

/** Folders of headers that belong to a library of C++. */
const STANDARD_HEADER = /\/include\/c\+\+\/|\/c\+\+\/v1\//;

/** Whether a load module is a system or run-time library. A library in a folder of the program is the program's own. */
export function isLibraryModule(module: string): boolean {
  if (module.startsWith("[vdso")) return true;
  const file = fileOf(module);
  return file.includes(".so") && (SYSTEM_FOLDER.test(module) || RUNTIME.test(file));
}

/** Whether a function is defined in a header of the standard library of C++. */
export function isStandardHeader(file: string): boolean {
  return STANDARD_HEADER.test(file);
}

const MAX_NAME_CHARACTERS = 255;

/** `libc` of `/usr/lib/libc-2.36.so` and `libc.so.6`; `ld.so` of the dynamic linker. */
export function shortModule(module: string): string {
  const file = fileOf(module);
  // Longer than any system's file names: the expression below would take too long.
  if (file.length > MAX_NAME_CHARACTERS) return file;
  const short = withoutEnding(file.replace(/-[\d.]+(?:-\d+)?\.so/g, ".so"));
  return short.startsWith("ld-linux") ? "ld.so" : short;
}

/** glibc has one package for all of its libraries. */
const GLIBC = /^(?:libc|libm|libpthread|librt|libdl|ld-linux[^.]*)[-.]/;
/** Name and first number of a library, as its package is called: `libgomp.so.1.0.0`. */
const NUMBERED_LIBRARY = /^(lib[\w+.-]{1,100}?)\.so\.(\d{1,4})(?:\.|$)/;

/**
 * Package of Debian and Ubuntu with the debug symbols of a library of the system. It is called as Debian's policy (8.1) says.
 *
 * @returns undefined for other load modules
 */
export function debugPackage(module: string): string | undefined {
  if (!SYSTEM_FOLDER.test(module)) return undefined;
  const file = fileOf(module);
  if (GLIBC.test(file)) return "libc6-dbg";
  const [, name, number] = NUMBERED_LIBRARY.exec(file) ?? [];
  if (name === undefined) return undefined;
  return `${name}${/\d$/.test(name) ? "-" : ""}${number}-dbgsym`.toLowerCase().replaceAll("_", "-");
}

/** Without `.so`, `.so.6.0.30` or `.so.abc` at the end. */
function withoutEnding(file: string): string {
  const numbers = endingOf(file, /[\d.]/);
  const words = endingOf(file, /[\w.]/);
  for (let at = file.indexOf(".so"); at >= 0; at = file.indexOf(".so", at + 1)) {
    const rest = at + ".so".length;
    if (rest >= numbers || (file[rest] === "." && rest >= words)) return file.slice(0, at);
  }
  return file;
}

/** Index of the first of the characters of one kind at the end of a text. */
function endingOf(text: string, kind: RegExp): number {
  let at = text.length;
  while (at > 0 && kind.test(text[at - 1])) at--;
  return at;
}

function fileOf(module: string): string {
  return module.slice(module.lastIndexOf("/") + 1);
}
