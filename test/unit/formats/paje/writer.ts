/** Writes Paje traces for tests and for the bench: definitions by name, then events with their fields in the defined order. */
export type Definitions = Readonly<Record<string, { readonly id: number; readonly fields: readonly string[] }>>;

const fields = (text: string) => text.split(" ");

/** As SimGrid declares them. */
export const definitions = {
  PajeDefineContainerType: { id: 0, fields: fields("Alias Type Name") },
  PajeDefineVariableType: { id: 1, fields: fields("Alias Type Name Color:color") },
  PajeDefineStateType: { id: 2, fields: fields("Alias Type Name") },
  PajeDefineEventType: { id: 3, fields: fields("Alias Type Name") },
  PajeDefineLinkType: { id: 4, fields: fields("Alias Type StartContainerType EndContainerType Name") },
  PajeDefineEntityValue: { id: 5, fields: fields("Alias Type Name Color:color") },
  PajeCreateContainer: { id: 6, fields: fields("Time:date Alias Type Container Name") },
  PajeDestroyContainer: { id: 7, fields: fields("Time:date Type Name") },
  PajeSetVariable: { id: 8, fields: fields("Time:date Type Container Value:double") },
  PajeAddVariable: { id: 9, fields: fields("Time:date Type Container Value:double") },
  PajeSubVariable: { id: 10, fields: fields("Time:date Type Container Value:double") },
  PajeSetState: { id: 11, fields: fields("Time:date Type Container Value") },
  PajePushState: { id: 12, fields: fields("Time:date Type Container Value") },
  PajePopState: { id: 13, fields: fields("Time:date Type Container") },
  PajeResetState: { id: 14, fields: fields("Time:date Type Container") },
  PajeStartLink: { id: 15, fields: fields("Time:date Type Container Value StartContainer Key") },
  PajeEndLink: { id: 16, fields: fields("Time:date Type Container Value EndContainer Key") },
  PajeNewEvent: { id: 17, fields: fields("Time:date Type Container Value") },
  PajeTraceFile: { id: 18, fields: fields("Container Type Filename") },
} satisfies Definitions;

/** The head of a trace. @param changed events that are defined in another way, or once more (`PajeStartLink/2`) */
export function headOf(changed: Definitions = {}): string {
  return Object.entries({ ...definitions, ...changed })
    .map(([name, { id, fields: own }]) => {
      const lines = own.map((field) => field.split(":")).map(([field, type = "string"]) => `%       ${field} ${type}`);
      return [`%EventDef ${name.split("/")[0]} ${id}`, ...lines, "%EndEventDef", ""].join("\n");
    })
    .join("");
}

/** A small trace with everything in it: 2 ranks on 1 machine, states, marks, a counter, messages, a line of the topology. */
export function smallTrace(): string {
  return `# made for a test
${headOf({ "PajeStartLink/2": { id: 19, fields: [...definitions.PajeStartLink.fields, "Size:int"] } })}0 M 0 Machine
0 P M MPI
2 S P MPI_STATE
3 E P mark
1 V M power "1 0 0"
4 L 0 P P MPI_LINK
4 T 0 P P wire
5 c S computing "0 1 0"
5 s S PMPI_Send "0 0 1"
6 0.000000000 m M 0 "host 1"
6 0.000000000 1 P m "rank-0"
6 0.000000000 2 P m "rank-1"
15 0.000000000 T 0 G 1 t0
16 0.000000000 T 0 G 2 t0
8 0.000000000 V m 10.5
12 0.250000000 S 1 c
12 0.500000000 S 1 s
19 0.500000000 L 0 PTP 1 k1 4096
17 0.625000000 E 2 "half way"
11 0.750000000 S 2 c
16 0.875000000 L 0 PTP 2 k1
13 1.000000000 S 1
9 1.000000000 V m 2.5
14 1.250000000 S 2
13 1.500000000 S 1
10 1.500000000 V m 13
7 2.000000000 P 1
7 2.000000000 P 2
7 2.125000000 M m
`;
}

/**
 * A large trace in pieces, as SimGrid writes those of MPI programs: states of ranks, and a message in three. For measuring;
 * deterministic.
 *
 * @param bytes how long it is to be at least
 */
export function* largeTrace(bytes: number, ranks = 64): Generator<string> {
  const values = ["computing", "PMPI_Send", "PMPI_Recv", "PMPI_Wait", "PMPI_Allreduce", "PMPI_Irecv"];
  let piece = `${headOf()}0 1 0 MPI\n2 2 1 MPI_STATE\n4 3 0 1 1 MPI_LINK\n`;
  values.forEach((name, at) => (piece += `5 ${at + 4} 2 ${name} "0 1 0"\n`));
  for (let rank = 1; rank <= ranks; rank++) piece += `6 0.000000000 ${rank} 1 0 "rank-${rank - 1}"\n`;
  let written = 0;
  let nanoseconds = 0;
  for (let step = 0; written + piece.length < bytes; step++) {
    const rank = (step % ranks) + 1;
    nanoseconds += 1000 + ((step * 7919) % 997);
    const time = `${Math.floor(nanoseconds / 1e9)}.${String(nanoseconds % 1e9).padStart(9, "0")}`;
    piece += `12 ${time} 2 ${rank} ${4 + (step % values.length)}\n`;
    if (step % 3 === 0)
      piece += `15 ${time} 3 0 PTP ${rank} ${rank}_${step}\n16 ${time} 3 0 PTP ${(rank % ranks) + 1} ${rank}_${step}\n`;
    piece += `13 ${time} 2 ${rank}\n`;
    if (piece.length > 1 << 20) {
      written += piece.length;
      yield piece;
      piece = "";
    }
  }
  const end = (nanoseconds / 1e9).toFixed(9);
  for (let rank = 1; rank <= ranks; rank++) piece += `7 ${end} 1 ${rank}\n`;
  yield piece;
}
