import fs from "node:fs";
import path from "node:path";
import { defineConfig } from "oxlint";

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

/** What webviews may see of `src/model`. */
const seenOfModel = ["units", "differences", "commitNames", "csv", "unseen", "sharedParts", "longLists", "mpiNames"];
const unseen = [
  ...Object.keys(rooms).filter((room) => room !== "protocol" && room !== "model"),
  ...fs
    .readdirSync(new URL("src/model", import.meta.url))
    .map((file) => path.parse(file).name)
    .filter((name) => !seenOfModel.includes(name))
    .map((name) => `model/${name}`),
];

const noMarkup = "Nothing that comes from a file reaches HTML: build elements.";

export default defineConfig({
  plugins: ["typescript", "react", "oxc", "unicorn"],
  jsPlugins: ["./test/lint/callSpread.mjs"],
  categories: { correctness: "error" },
  ignorePatterns: ["**/dist/", "**/node_modules/", "examples/", "**/.vscode-test/"],
  rules: {
    eqeqeq: "error",
    "no-console": "error",
    "typescript/no-explicit-any": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/ban-ts-comment": "error",
    "typescript/no-empty-object-type": "error",
    "typescript/no-require-imports": "error",
    "typescript/no-unsafe-function-type": "error",
    "typescript/no-unnecessary-type-constraint": "error",
    // A spread of a literal packs lines, and hides properties that a type does not have.
    "unicorn/no-useless-spread": "error",
    "unicorn/no-new-array": "off",
    "unicorn/prefer-string-starts-ends-with": "off",
    "no-unused-expressions": "error",
    "no-array-constructor": "error",
    "no-var": "error",
    "prefer-const": "error",
    "prefer-rest-params": "error",
    "prefer-spread": "error",
    // Recorded names hold control characters, expected values more digits than a number has.
    "no-control-regex": "off",
    "no-loss-of-precision": "off",
    // What is missing fails the test.
    "no-unsafe-optional-chaining": "off",
    // Written for React: signals of Preact and its refs are used otherwise.
    "react/exhaustive-deps": "off",
    "react/immutability": "off",
    "react/jsx-key": "off",
    "react/refs": "off",
  },
  overrides: [
    ...layerRules,
    {
      files: ["src/**", "webviews/**", "test/host/**", "*.mjs"],
      rules: { "heatflow/no-call-spread": "error" },
    },
    {
      files: ["webviews/**/*.ts", "webviews/**/*.tsx"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                regex: `^(\\.\\./)+src/(${unseen.join("|")})(/|$)`,
                message: "Webviews see only protocol and the number formatter.",
              },
            ],
          },
        ],
        "no-restricted-properties": [
          "error",
          { property: "innerHTML", message: noMarkup },
          { property: "outerHTML", message: noMarkup },
          { property: "insertAdjacentHTML", message: noMarkup },
        ],
        "react/no-danger": "error",
      },
    },
    {
      files: ["src/cli/**/*.ts", "src/cli.ts"],
      rules: {
        "no-restricted-properties": [
          "error",
          {
            object: "JSON",
            property: "stringify",
            message: "Terminals obey control characters: jsonText escapes them.",
          },
        ],
      },
    },
    { files: ["src/cli.ts", "test/**", "*.mjs", "**/*.mjs"], rules: { "no-console": "off" } },
  ],
});
