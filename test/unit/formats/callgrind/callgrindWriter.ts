/** Writes callgrind's format from a description, in all the ways that the format allows. */

export interface WrittenFunction {
  readonly name: string;
  readonly file: string;
  readonly module?: string;
  /** In the order in which they are written. */
  readonly rows: readonly (WrittenLine | WrittenCall)[];
}

export interface WrittenLine {
  readonly line: number;
  /** Another file than the function's: inlined code. */
  readonly file?: string;
  readonly costs: readonly number[];
}

export interface WrittenCall extends WrittenLine {
  readonly callee: string;
  readonly calleeFile?: string;
  readonly calleeModule?: string;
  readonly calls: number;
}

export interface WrittenPart {
  readonly header?: Readonly<Record<string, string | number>>;
  readonly functions: readonly WrittenFunction[];
}

export interface Writing {
  readonly events?: readonly string[];
  readonly compressNames?: boolean;
  readonly compressPositions?: boolean;
  readonly instructions?: boolean;
  readonly newline?: string;
  /** `totals` as callgrind writes it, `summary` as cachegrind does; `none` as hand-written files. */
  readonly totals?: "totals" | "summary" | "none";
}

const PROGRAM: Readonly<Record<string, string | number>> = {
  version: 1,
  creator: "callgrind-3.19.0",
  pid: 4711,
  cmd: "./program 12",
  part: 1,
};

export function writeCallgrind(parts: readonly WrittenPart[], writing: Writing = {}): string {
  const { events = ["Ir"], totals = "totals", newline = "\n" } = writing;
  const names = new NameWriter(writing.compressNames ?? true);
  const text: string[] = ["# callgrind format"];
  for (const { header = PROGRAM, functions } of parts) {
    for (const [key, value] of Object.entries(header)) text.push(`${key}: ${value}`);
    text.push("desc: Trigger: Program termination", "");
    text.push(`positions: ${writing.instructions ? "instr line" : "line"}`, `events: ${events.join(" ")}`, "");
    const sums = events.map(() => 0);
    const positions = new PositionWriter(writing.compressPositions ?? true, writing.instructions ?? false);
    for (const one of functions) writeFunction(text, one, names, positions, sums);
    if (totals !== "none") text.push(`${totals}: ${sums.join(" ")}`);
  }
  return text.join(newline) + newline;
}

function writeFunction(
  text: string[],
  { name, file, module, rows }: WrittenFunction,
  names: NameWriter,
  positions: PositionWriter,
  sums: number[],
): void {
  if (module !== undefined) text.push(`ob=${names.of("ob", module)}`);
  text.push(`fl=${names.of("fl", file)}`, `fn=${names.of("fn", name)}`);
  let current = file;
  for (const row of rows) {
    const own = row.file ?? file;
    if (own !== current) text.push(`${own === file ? "fe" : "fi"}=${names.of("fl", own)}`);
    current = own;
    if ("callee" in row) {
      if (row.calleeModule !== undefined) text.push(`cob=${names.of("ob", row.calleeModule)}`);
      if (row.calleeFile !== undefined) text.push(`cfi=${names.of("fl", row.calleeFile)}`);
      text.push(`cfn=${names.of("fn", row.callee)}`, `calls=${row.calls} ${positions.target()}`);
    } else row.costs.forEach((cost, at) => (sums[at] += cost));
    const costs = [...row.costs];
    while (costs.length > 0 && costs[costs.length - 1] === 0) costs.pop();
    text.push([positions.of(row.line), ...costs].join(" "));
  }
  text.push("");
}

class NameWriter {
  private readonly ids = new Map<string, number>();

  constructor(private readonly compress: boolean) {}

  of(kind: string, name: string): string {
    if (!this.compress) return name;
    const key = `${kind} ${name}`;
    const known = this.ids.get(key);
    if (known !== undefined) return `(${known})`;
    this.ids.set(key, this.ids.size + 1);
    return `(${this.ids.size}) ${name}`;
  }
}

class PositionWriter {
  private line = 0;
  private address = 0x401000;

  constructor(
    private readonly compress: boolean,
    private readonly instructions: boolean,
  ) {}

  of(line: number): string {
    const difference = line - this.line;
    this.line = line;
    const place = !this.compress
      ? `${line}`
      : difference === 0
        ? "*"
        : difference > 0
          ? `+${difference}`
          : `${difference}`;
    this.address += 4;
    return this.instructions ? `0x${this.address.toString(16)} ${place}` : place;
  }

  target(): string {
    return this.instructions ? "0x401000 0" : "0";
  }
}
