import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Engine, MatrixQuery } from "../../src/engine/api";
import { localEngine } from "../../src/engine/localEngine";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { noteConformance } from "./conformanceTable";

const shared = recordings();
const root = shared ?? "";
const miniapp = path.join(root, "miniapp");
const golden = path.join(miniapp, "profiles/golden/messages.matrix.json");
const messageFiles = Array.from({ length: 8 }, (_, rank) => path.join(miniapp, `profiles/trace/messages-${rank}.cali`));

type Row = { bytes: number; n: number; "mpi.rank": number; "mpi.msg.dst"?: number; "mpi.msg.src"?: number };

async function opened(paths: string[], folders: string[] = []): Promise<{ engine: Engine; dataSet: number }> {
  const engine = localEngine(grammars);
  await engine.configure({ folders, sourceMap: {} });
  const [info] = await engine.open({ paths });
  return { engine, dataSet: info.id };
}

/** Cells as `row to column` → bytes and count. */
async function matrixOf(engine: Engine, query: Omit<MatrixQuery, "by">) {
  const matrix = await engine.communicationMatrix({ ...query, by: "bytes" });
  const { cells, rows, columns } = matrix;
  const found = new Map(
    Array.from(cells.row, (row, at) => [
      `${rows.groups[row].name} to ${columns.groups[cells.column[at]].name}`,
      [cells.bytes[at], cells.count[at]],
    ]),
  );
  return { ...matrix, found };
}

describe.skipIf(shared === undefined)("data movement", () => {
  it("miniheat's messages are those of cali-query, pair by pair, and its collectives stand beside them", async () => {
    const { engine, dataSet } = await opened(messageFiles);
    const rows = JSON.parse(fs.readFileSync(golden, "utf8")) as Row[];
    const { found, beside, ofRows } = await matrixOf(engine, { scope: { dataSet }, of: "ranks" });
    const sent = rows.filter((row) => row["mpi.msg.dst"] !== undefined);
    expect(found).toEqual(
      new Map(sent.map((row) => [`rank ${row["mpi.rank"]} to rank ${row["mpi.msg.dst"]}`, [row.bytes, row.n]])),
    );
    for (let rank = 0; rank < 8; rank++)
      expect(ofRows.bytes[rank]).toBe(
        sent.filter((row) => row["mpi.rank"] === rank).reduce((sum, { bytes }) => sum + bytes, 0),
      );
    const others = rows.filter((row) => row["mpi.msg.dst"] === undefined && row["mpi.msg.src"] === undefined);
    expect(beside.map(({ name, bytes }) => [name, bytes])).toEqual([
      ["collectives", others.reduce((sum, { bytes }) => sum + bytes, 0)],
    ]);
    noteConformance("Data movement against cali-query", { recordings: 1, values: sent.length, largestDifference: 0 });
  });

  it("miniheat's messages stand on the lines that send them", async () => {
    const { engine, dataSet } = await opened(messageFiles, [path.join(miniapp, "src")]);
    const file = path.join(miniapp, "src/halo.cpp");
    const scope = { dataSet, chosen: { by: "rank", members: ["5"] } } as const;
    const { lines, functions, total } = await engine.documentMovement({ scope, document: { file } });
    const text = fs.readFileSync(file, "utf8").split("\n");
    const rows = JSON.parse(fs.readFileSync(golden, "utf8")) as Row[];
    const sent = rows.filter((row) => row["mpi.msg.dst"] !== undefined && row["mpi.rank"] === 5);
    const bytes = sent.reduce((sum, row) => sum + row.bytes, 0);
    expect(total.messages).toMatchObject({ bytes, count: sent.reduce((sum, { n }) => sum + n, 0) });
    const [line] = lines.filter(({ messages }) => messages.count > 0);
    expect(text[line.line - 1]).toMatch(/MPI_I?send/i);
    expect(line.messages.bytes).toBe(bytes);
    expect(line.messages.partners).toBe(3);
    const holders = functions.filter(({ messages }) => messages.bytes === bytes);
    expect(holders.length).toBeGreaterThan(0);
  });

  it("restricted to the two halves of the run it is the whole run", async () => {
    const { engine, dataSet } = await opened(messageFiles, [path.join(miniapp, "src")]);
    const of = { scope: { dataSet }, document: { file: path.join(miniapp, "src/halo.cpp") } };
    const whole = await engine.documentMovement(of);
    const middle = whole.seconds / 2;
    const windows = [
      { from: 0, to: middle },
      { from: middle, to: Infinity },
    ];
    const halves = await Promise.all(
      windows.map((window) => engine.documentMovement({ ...of, scope: { dataSet, window } })),
    );
    const sent = halves.map(({ total }) => total.messages.count);
    expect(sent.every((count) => count > 0)).toBe(true);
    expect(sent[0] + sent[1]).toBe(whole.total.messages.count);
    const matrices = await Promise.all(
      windows.map((window) => engine.communicationMatrix({ scope: { dataSet, window }, of: "ranks", by: "bytes" })),
    );
    expect(matrices.map(({ total }) => total.count)).toEqual(sent);
  });

  it("of one rank's file alone its own messages are there, with those that it received, and ranks stand in their order", async () => {
    const { engine, dataSet } = await opened(messageFiles.slice(0, 1));
    const { found, rows, levels } = await matrixOf(engine, { scope: { dataSet }, of: "ranks" });
    expect(rows.groups.map(({ name }) => name)).toEqual(["rank 0", "rank 1", "rank 2", "rank 4"]);
    expect(levels).toEqual(["rank"]);
    const golden0 = (JSON.parse(fs.readFileSync(golden, "utf8")) as Row[]).filter((row) => row["mpi.rank"] === 0);
    const pairs = golden0.flatMap((row) => {
      const [to, from] = [row["mpi.msg.dst"], row["mpi.msg.src"]];
      const pair =
        to !== undefined ? `rank 0 to rank ${to}` : from !== undefined ? `rank ${from} to rank 0` : undefined;
      return pair === undefined ? [] : [[pair, [row.bytes, row.n]] as const];
    });
    expect(found).toEqual(new Map(pairs));
  });

  const gemm = path.join(root, "data/dmtracker");
  const files = ["gemm-kernels", "gemm-fill"].flatMap((folder) =>
    fs.existsSync(path.join(gemm, folder))
      ? fs
          .readdirSync(path.join(gemm, folder))
          .filter((name) => name.endsWith(".json"))
          .map((name) => path.join(gemm, folder, name))
      : [],
  );

  it.each(files.map((file) => [path.basename(file), file]))(
    "%s: bytes of each device pair are those of its records",
    async (_, file) => {
      type Record = {
        cat?: string;
        ph: string;
        name: string;
        tid: number;
        pid: number;
        args?: { bytes?: number; device?: number };
      };
      const { traceEvents } = JSON.parse(fs.readFileSync(file, "utf8")) as { traceEvents: Record[] };
      const expected = new Map<string, [number, number]>();
      const streams = new Map<string, number>();
      for (const { cat, name, args, tid } of traceEvents) {
        if (cat !== "gpu_memcpy") continue;
        const gpu = `GPU ${args?.device}`;
        const pair = name.includes("HtoD") ? `host to ${gpu}` : name.includes("DtoH") ? `${gpu} to host` : name;
        const [bytes, count] = expected.get(pair) ?? [0, 0];
        expected.set(pair, [bytes + (args?.bytes ?? 0), count + 1]);
        const stream = `${gpu}, stream ${tid}`;
        streams.set(stream, (streams.get(stream) ?? 0) + (args?.bytes ?? 0));
      }
      const { engine, dataSet } = await opened([file]);
      const { found, total } = await matrixOf(engine, { scope: { dataSet }, of: "devices" });
      expect(found).toEqual(expected);
      expect(total.bytes).toBe([...streams.values()].reduce((sum, bytes) => sum + bytes, 0));
      // By stream, as a restriction has it.
      for (const [name, bytes] of streams) {
        const members = [name.replace(/^GPU (\d+), stream (\d+)$/, "$1.$2")];
        const ofStream = await matrixOf(engine, {
          scope: { dataSet, chosen: { by: "stream", members } },
          of: "devices",
        });
        expect(ofStream.total.bytes).toBe(bytes);
      }
      noteConformance("Data movement of DMTracker", {
        recordings: 1,
        values: expected.size + streams.size,
        largestDifference: 0,
      });
    },
  );
});
