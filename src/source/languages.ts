import path from "node:path";

/** Languages with a grammar. CUDA and HIP are read by the C++ grammar, headers too: C headers are nearly always valid there. */
export const languages = ["c", "cpp", "python"] as const;
export type Language = (typeof languages)[number];

const byExtension = new Map<string, Language>([
  [".c", "c"],
  [".py", "python"],
  ...[
    ".cc",
    ".cpp",
    ".cxx",
    ".c++",
    ".cp",
    ".h",
    ".hh",
    ".hpp",
    ".hxx",
    ".h++",
    ".inl",
    ".ipp",
    ".tpp",
    ".tcc",
    ".txx",
  ].map((extension): [string, Language] => [extension, "cpp"]),
  ...[".cu", ".cuh", ".hip", ".inc", ".def", ".ixx", ".cppm"].map((extension): [string, Language] => [
    extension,
    "cpp",
  ]),
]);

/** The language of a file by its name; undefined where there is no grammar for it. */
export function languageOf(file: string): Language | undefined {
  const extension = path.extname(file);
  // `.C` and `.H` are C++ by old custom, `.c` is not.
  return byExtension.get(extension === ".C" || extension === ".H" ? ".cpp" : extension.toLowerCase());
}

/** Languages without a grammar here: what their files define, a language server has to say. */
const servedByExtension = new Map<string, string>(
  Object.entries({
    Fortran: ".f .for .ftn .fpp .f77 .f90 .f95 .f03 .f08 .f18",
    Rust: ".rs",
    Go: ".go",
    Julia: ".jl",
    Java: ".java",
    Kotlin: ".kt",
    Swift: ".swift",
    D: ".d",
    Zig: ".zig",
    Chapel: ".chpl",
    "C#": ".cs",
  }).flatMap(([language, endings]) => endings.split(" ").map((ending): [string, string] => [ending, language])),
);

/** The language of a file whose definitions only a language server knows; undefined for all others. */
export function servedLanguageOf(file: string): string | undefined {
  return servedByExtension.get(path.extname(file).toLowerCase());
}

/** Names are the same in capitals and small letters. */
export function isCaseless(file: string): boolean {
  return servedLanguageOf(file) === "Fortran";
}
