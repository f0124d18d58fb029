/** `heatflow`: the engine without a window (semantics 7). */
import fs from "node:fs";
import path from "node:path";
import { graphArguments, graphJson, graphTable } from "./cli/graphCommand";
import { ArgumentError } from "./cli/arguments";
import { LocalEngine } from "./engine/localEngine";
import { grammarsBeside } from "./source/grammar";

const usage = `heatflow: HPC performance data on the lines of your source code

  heatflow graph DATA... [options]    the super graph of a recording

Options of graph:
  --metric M          metric to show (default: time, else the recording's first)
  --over O            sum, mean, max, min or rank=N (default: sum)
  --filter P          hide functions below P percent of the total (default: 0)
  --group-by G        module, file, folder, class, function, map or none (default: file)
  --map FILE          JSON file of groups: name -> list of functions, globs or /patterns/
  --source DIR        folder of source code, may be given several times (default: .)
  --hierarchy H       combined, regions or callPaths, where a recording has both (default: combined)
  --ranks LIST        only these ranks, such as 0,4-7
  --op OPERATION      'filter 0.5' or 'group-by function'; may be given several times, done in order
  --json              print JSON instead of a table

Exit codes: 0 done, 1 the data cannot be read, 2 the arguments are wrong.
`;

async function main(args: readonly string[]): Promise<string> {
  const [command, ...rest] = args;
  if (command === undefined || command === "--help" || command === "-h" || command === "help") return usage;
  if (command === "--version") return `${packageVersion()}\n`;
  if (command !== "graph") throw new ArgumentError(`unknown command '${command}'; heatflow --help lists them`);
  if (rest.includes("--help") || rest.includes("-h")) return usage;
  const request = graphArguments(rest, process.cwd());
  const engine = new LocalEngine(grammarsBeside(__dirname));
  const answer = await request.run(engine);
  for (const warning of answer.warnings) process.stderr.write(`heatflow: warning: ${warning}\n`);
  return request.json ? graphJson(answer) : graphTable(answer);
}

function packageVersion(): string {
  const file = path.join(__dirname, "..", "package.json");
  return (JSON.parse(fs.readFileSync(file, "utf8")) as { version: string }).version;
}

// Whoever reads the output may have seen enough, as `head` does: that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

main(process.argv.slice(2)).then(
  (text) => {
    process.stdout.write(text);
  },
  (error: unknown) => {
    process.stderr.write(`heatflow: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof ArgumentError ? 2 : 1;
  },
);
