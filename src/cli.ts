/** `heatflow`: the engine without a window (semantics 7). */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ArgumentError } from "./cli/arguments";
import { compareArguments, failingText } from "./cli/compareCommand";
import { ensembleArguments } from "./cli/ensembleCommand";
import { exportArguments, runExport } from "./cli/exportCommand";
import { graphArguments, graphJson, graphTable } from "./cli/graphCommand";
import { hotArguments } from "./cli/hotCommand";
import { Output, OutputClosed } from "./cli/output";
import { overviewArguments } from "./cli/overviewCommand";
import { runSummary, summaryArguments } from "./cli/summaryCommand";
import { localEngine, type LocalEngine } from "./engine/localEngine";
import { ReaderPool } from "./engine/readers/readerPool";
import { newCacheFolder, removeLeftOvers, TraceCache } from "./engine/traces/traceCache";
import { messageOf } from "./model/errors";
import { linesWithEscapes, withEscapes } from "./model/unseen";
import { grammarsBeside } from "./source/grammar";

const usage = `heatflow: HPC performance data on the lines of your source code

  heatflow graph DATA... [options]    the super graph of a recording
  heatflow hot DATA... [options]      functions and lines with the largest cost
  heatflow compare BASELINE CANDIDATE differences between two recordings, largest first
  heatflow summary DATA... [--json]   contents of recordings: counts, totals, metadata, warnings
  heatflow export DATA... [options]   every value of a recording, as a stream of lines
  heatflow ensemble DATA... [options] many runs as one graph, spread of functions over runs, differences
  heatflow overview DATA... [options] a whole trace at a glance: its partitions, and what is unlike the rest

DATA is one or several files or folders.

Options of all commands:
  --hierarchy H       combined, regions or callPaths, if a recording has both (default: combined)
  --as ANSWER         what the files are, if they can be read in several ways (an error lists the answers)

Options of graph:
  --metric M          metric to show (default: time, else the recording's first)
  --over O            sum, mean, max, min or rank=N (default: sum)
  --filter P          hide functions below P percent of the total (default: 0)
  --group-by G        module, file, folder, class, function, map or none (default: file; module or function if most
                      files are not known, with a note)
  --map FILE          JSON file of groups: name -> list of functions, globs or /patterns/; or a configuration of CallFlow,
                      whose filter and grouping apply unless --filter and --group-by are given
  --first             the first picture, as the window shows it: filter and groups are chosen so that at most 30 bars
                      and 60 flows are drawn; not with --filter, --group-by, --op or --map
  --source DIR        folder of source code, may be given several times (default: the current folder); places in it
                      are shown if the recording belongs to it
  --ranks LIST        only these ranks, such as 0,4-7
  --threads LIST      only these threads, such as 1,3-5, or with ranks 0.1,0.2
  --op OPERATION      change the graph; may be given several times, applied in order:
                        filter PERCENT, group-by G, split-by-entry GROUP {FUNCTION,...} {FUNCTION,...},
                        split-by-caller GROUP [by group|function], reveal FUNCTION [in GROUP],
                        expand GROUP, collapse GROUP, hide GROUP
                      GROUP is a group's name, GROUP#2 its second bar; names with other characters need double quotes
  --json              print JSON instead of a table
  --wide              do not shorten names to the width of the terminal

Options of hot:
  --metric M, --over O, --source DIR, --wide  as above
  --top N             number of rows (default: 20)
  --lines             print the lines, too; a line of a file that is not found has a row for each function that it was
                      compiled into
  --json              print JSON instead of a table

Options of compare:
  --metric M, --over O, --source DIR, --wide  as above (over: mean, since the number of ranks may differ)
  --value V           exclusive or inclusive (default: exclusive)
  --group-by G        function, class, file, folder or module (default: function)
  --top N             number of rows (default: 20)
  --changed P         minimum difference that counts as changed, in percent of the total (default: 1)
  --fail-above P      exit code 3 if a function with 1 % of either total is new, or slower by more than P percent
  --pair OLD=NEW      a function that was renamed; may be given several times
  --json, --markdown  print JSON, or a table for a pull request

Options of ensemble (DATA: runs, folders of them, or *.heatflow-runs.json):
  --metric M, --group-by G, --filter P, --op OPERATION, --source DIR, --wide  as above
  --over O            how each run's value is combined over its ranks (default: mean)
  --bins N            bins of each histogram over the runs (default: 20)
  --pattern P         pattern that reads parameters from file names, such as size_np{ranks}_s{size}.cali
  --columns A,B,...   columns that the projection compares runs by: parameters, total, functions (default: total and all
                      parameters that differ)
  --first             print the start of the window, too: the parameter that functions scale over first
  --scaling PARAMETER [weak|strong]  how functions scale over it (default: weak or strong by the computing time per rank)
  --diff BASELINE,CANDIDATE  two runs, or two sets of runs named by globs
  --commits REPOSITORY  commits between which functions change
  --pivot ROWS,COLUMNS [--function NAME] [--value V]  mean and number of runs by two parameters, of a function or of totals
  --json              print JSON instead of tables
  --csv               print the table of contexts x runs instead: a column per run, empty if the run lacks the context
  --only-in RUNS, --missing-in RUNS  in call sites and --csv, keep what only these runs have or lack: names, globs
  --rows R, --value V  of --csv: contexts or functions (default: contexts), exclusive or inclusive (default: exclusive)

Options of export:
  --format F          jsonl, csv, json-split or collapsed (default: jsonl)
  --metric M          only this metric; collapsed always has one metric (default: time, else the recording's first)
  --events            instead of values: a line per event of the trace and per point of a counter
  --messages          instead of values: a line per message
  --transfers         instead of values: a line per data transfer
  --iterations        instead of values: a line per value of an iteration
  --call-graph        instead of estimated contexts: measured lines and calls, if the recording has a call graph

Options of overview:
  --slices N          slices of time (default: 30; temporal: 100)
  --kind K            spatiotemporal, temporal or hierarchical (default: spatiotemporal)
  --first             groups as recorded, by host names, or found in the data, and the partition that the panel starts with
  --normalize         gain and loss as shares of those of one part for all
  --group RULE        groups of resources, such as 'every 8: host' (default: as recorded)
  --hierarchy FILE    groups of resources from a file with a line per resource: leaf = outermost/.../innermost group
  --metric M          value of a state in a cell: duration, mean (of its events) or count (default: duration), or
                      variable=NAME: the mean of a variable, weighted by time
  --states TYPE       type of states, if there are several (default: the one with the largest time)
  --from S, --to S    seconds of the run (default: from 0 to its end)
  --model FILE        instead of DATA: a microscopic model as JSON, {values: [leaf][state][slice], parents}
  --json              print JSON instead of a table

Exit codes: 0 done, 1 the data cannot be read, 2 the arguments are wrong, 3 a function is slower than --fail-above allows.
`;

async function main(args: readonly string[], output: Output): Promise<void> {
  const [command, ...rest] = args;
  const help = command === undefined || command === "--help" || command === "-h" || command === "help";
  if (command === "--version") await output.write(`${packageVersion()}\n`);
  else if (help || rest.includes("--help") || rest.includes("-h")) await output.write(usage);
  else await run(command, rest, output);
  await output.flush();
}

async function run(command: string, args: readonly string[], output: Output): Promise<void> {
  void removeLeftOvers(os.tmpdir());
  const traceCache = new TraceCache({ folder: newCacheFolder(os.tmpdir()), mostBytes: Number.POSITIVE_INFINITY });
  const readers = new ReaderPool({ script: path.join(__dirname, "reader.js") });
  const engine = localEngine(grammarsBeside(__dirname), { traceCache, readers });
  try {
    await runWith(engine, command, args, output);
  } finally {
    await engine.dispose();
  }
}

async function runWith(engine: LocalEngine, command: string, args: readonly string[], output: Output): Promise<void> {
  if (command === "summary") return runSummary(summaryArguments(args, process.cwd()), engine, output);
  if (command === "export") return runExport(exportArguments(args, process.cwd()), engine, output, warn);
  if (command === "compare") return runCompare(engine, args, output);
  if (command === "overview") return runOverview(engine, args, output);
  if (command === "ensemble") return runEnsemble(engine, args, output);
  if (command === "hot") return runHot(engine, args, output);
  if (command !== "graph") throw new ArgumentError(`unknown command '${command}'; heatflow --help lists them`);
  const request = graphArguments(args, process.cwd());
  const answer = await request.run(engine);
  for (const warning of answer.warnings) warn(warning);
  for (const text of answer.notes) note(text);
  await output.write(request.json ? graphJson(answer) : graphTable(answer, widthFor(request)));
}

async function runEnsemble(engine: LocalEngine, args: readonly string[], output: Output): Promise<void> {
  const request = ensembleArguments(args, process.cwd());
  if (request.writeCsv) return request.writeCsv(engine, output, warn);
  const answer = await request.run(engine);
  for (const warning of answer.warnings) warn(warning);
  await output.write(request.text(answer, widthFor(request)));
}

async function runHot(engine: LocalEngine, args: readonly string[], output: Output): Promise<void> {
  const request = hotArguments(args, process.cwd());
  const answer = await request.run(engine);
  for (const warning of answer.warnings) warn(warning);
  for (const text of answer.notes) note(text);
  await output.write(request.text(answer, widthFor(request)));
}

async function runOverview(engine: LocalEngine, args: readonly string[], output: Output): Promise<void> {
  const request = overviewArguments(args, process.cwd());
  const answer = await request.run(engine);
  for (const warning of answer.warnings) warn(warning);
  await output.write(request.text(answer));
}

async function runCompare(engine: LocalEngine, args: readonly string[], output: Output): Promise<void> {
  const request = compareArguments(args, process.cwd());
  const answer = await request.run(engine);
  for (const warning of answer.warnings) warn(warning);
  await output.write(request.text(answer, widthFor(request)));
  if (answer.failing.length === 0) return;
  process.exitCode = 3;
  complain(failingText(answer));
}

/** What tables are cut for: the terminal, where there is one. */
function widthFor({ wide }: { readonly wide: boolean }): number | undefined {
  return wide || !process.stdout.isTTY ? undefined : process.stdout.columns;
}

function warn(message: string): void {
  complain(`warning: ${withEscapes(message)}`);
}

function note(message: string): void {
  complain(`note: ${withEscapes(message)}`);
}

/** Messages hold names of the recording, whatever the error stream is. */
function complain(lines: string): void {
  process.stderr.write(`heatflow: ${linesWithEscapes(lines)}\n`);
}

function packageVersion(): string {
  const file = path.join(__dirname, "..", "package.json");
  return (JSON.parse(fs.readFileSync(file, "utf8")) as { version: string }).version;
}

// What is wrong with the output is told to who writes to it; without a listener it would end the process.
process.stdout.on("error", () => undefined);

main(process.argv.slice(2), new Output(process.stdout, process.stdout.isTTY)).catch((error: unknown) => {
  if (error instanceof OutputClosed) return;
  complain(messageOf(error));
  process.exitCode = error instanceof ArgumentError ? 2 : 1;
});
