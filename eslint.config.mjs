import tseslint from "typescript-eslint";

/** What each room may import besides itself (ARCHITECTURE.md); `vscode` only where `true`. */
const rooms = {
  model: { may: [], vscode: false },
  formats: { may: ["model"], vscode: false },
  supergraph: { may: ["model"], vscode: false },
  analysis: { may: ["model"], vscode: false },
  aggregation: { may: ["model"], vscode: false },
  source: { may: ["model"], vscode: false },
  engine: { may: ["model", "formats", "supergraph", "analysis", "aggregation", "source"], vscode: false },
  cli: { may: ["model", "supergraph", "aggregation", "engine"], vscode: false },
  protocol: { may: ["model"], vscode: false },
  traced: { may: ["model"], vscode: false },
  session: { may: ["model", "engine"], vscode: true },
  editor: { may: ["model", "engine", "session", "protocol"], vscode: true },
  views: { may: ["model", "engine", "session", "protocol"], vscode: true },
  panels: { may: ["model", "engine", "session", "protocol"], vscode: true },
  tasks: { may: ["model", "traced", "session"], vscode: true },
};

const layerRules = Object.entries(rooms).map(([room, { may, vscode }]) => {
  const forbidden = Object.keys(rooms).filter((other) => other !== room && !may.includes(other));
  return {
    files: [`src/${room}/**/*.ts`],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: `^(\\.\\./)+(${forbidden.join("|")})(/|$)`,
              caseSensitive: true,
              message: `${room}/ may import only: ${may.join(", ") || "nothing"}.`,
            },
            ...(vscode
              ? []
              : [{ regex: "^vscode$", message: `${room}/ runs in the worker and on the command line: no vscode.` }]),
          ],
        },
      ],
    },
  };
});

export default tseslint.config(
  { ignores: ["**/dist/", "**/node_modules/", "examples/", ".vscode-test/", "**/.vscode-test/"] },
  ...tseslint.configs.recommended,
  {
    rules: {
      eqeqeq: "error",
      "no-console": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/consistent-type-imports": "error",
    },
  },
  ...layerRules,
  {
    files: ["webviews/**/*.ts", "webviews/**/*.tsx"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: "^(\\.\\./)+src/(?!protocol/|model/(?:units|differences|csv|unseen)$)",
              message: "Webviews see only protocol and the number formatter.",
            },
          ],
        },
      ],
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: "Nothing that comes from a file reaches HTML: build elements." },
        { property: "outerHTML", message: "Nothing that comes from a file reaches HTML: build elements." },
        { property: "insertAdjacentHTML", message: "Nothing that comes from a file reaches HTML: build elements." },
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: "Nothing that comes from a file reaches HTML: build elements.",
        },
      ],
    },
  },
  { files: ["src/cli.ts", "test/**", "*.mjs", "**/*.mjs"], rules: { "no-console": "off" } },
);
