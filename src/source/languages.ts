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
