/**
 * A reader of Paje traces as plain as can be, to compare the real one with: the whole file as lines of words, a list a type and
 * container that is sorted by time at the end. It knows what the traces have that it is used on, and no more.
 */
import { emptyRows, type FactRows } from "./factRows";

interface Named {
  readonly name: string;
  readonly type: string;
}

interface Container extends Named {
  readonly id: string;
  readonly parent: string;
  readonly start: number;
  end: number;
}

const OLD_NAMES: Record<string, string> = {
  ContainerType: "Type",
  EntityType: "Type",
  SourceContainer: "StartContainer",
  DestContainer: "EndContainer",
  SourceContainerType: "StartContainerType",
  DestContainerType: "EndContainerType",
};

interface Line {
  readonly event: string;
  readonly order: number;
  readonly [field: string]: string | number;
}

/** Every event of a text, with its fields by name. */
function linesOf(text: string): Line[] {
  const definitions = new Map<string, { name: string; fields: string[] }>();
  let last = "";
  const lines: Line[] = [];
  text.split("\n").forEach((line, order) => {
    const words = line.includes('"')
      ? [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2])
      : line.trim().split(/\s+/);
    if (words[0] === "" || words[0].startsWith("#")) return;
    if (words[0] === "%EventDef") definitions.set((last = words[2]), { name: words[1], fields: [] });
    else if (words[0] === "%") definitions.get(last)?.fields.push(OLD_NAMES[words[1]] ?? words[1]);
    else if (words[0] !== "%EndEventDef") {
      const definition = definitions.get(words[0]);
      if (definition === undefined) throw new Error(`line ${order + 1}: ${line}`);
      const read: { event: string; order: number; [field: string]: string | number } = {
        event: definition.name.slice("Paje".length),
        order,
      };
      definition.fields.forEach((field, at) => (read[field] = words[at + 1]));
      lines.push(read);
    }
  });
  return lines;
}

/** A decimal as an integer of 10⁻¹⁸: sums have no rounding. */
function exactly(decimal: string): bigint {
  const [, sign, whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) as RegExpExecArray;
  return BigInt(`${sign}${whole}${fraction.padEnd(18, "0").slice(0, 18)}`);
}

export function naiveRows(text: string): FactRows {
  const lines = linesOf(text);
  const rows = emptyRows();
  const types = new Map<string, string>([["0", "0"]]);
  const values = new Map<string, string>();
  const containers = new Map<string, Container>([
    ["0", { id: "0", name: "0", type: "0", parent: "", start: 0, end: NaN }],
  ]);
  const times = lines.filter((line) => line.Time !== undefined).map((line) => Number(line.Time));
  const last = times.reduce((most, time) => Math.max(most, time), 0);

  for (const line of lines) {
    const id = String(line.Alias ?? line.Name);
    if (/^Define.*Type$/.test(line.event)) types.set(id, String(line.Name));
    else if (line.event === "DefineEntityValue") values.set(`${line.Type} ${id}`, String(line.Name));
    else if (line.event === "CreateContainer")
      containers.set(id, {
        id,
        name: String(line.Name),
        type: types.get(String(line.Type)) as string,
        parent: String(line.Container),
        start: Number(line.Time),
        end: NaN,
      });
    else if (line.event === "DestroyContainer")
      (containers.get(String(line.Name)) as Container).end = Number(line.Time);
  }
  // Whatever has no end of its own ends with what it is in, at the latest with the trace.
  const endOf = (container: Container): number => {
    if (!Number.isNaN(container.end)) return container.end;
    return container.id === "0" ? last : endOf(containers.get(container.parent) as Container);
  };
  for (const one of containers.values())
    rows.containers.push({
      parent: one.id === "0" ? "0" : (containers.get(one.parent) as Container).name,
      type: one.type,
      start: one.start,
      end: endOf(one),
      name: one.name,
    });

  const groups = new Map<string, Line[]>();
  for (const line of lines)
    if (line.Time !== undefined && !/Container$/.test(line.event)) {
      const key = `${line.Container} ${line.Type}`;
      const group = groups.get(key);
      if (group) group.push(line);
      else groups.set(key, [line]);
    }
  for (const group of groups.values()) {
    const container = containers.get(String(group[0].Container)) as Container;
    const end = endOf(container);
    const at = { at: container.name, type: types.get(String(group[0].Type)) as string };
    const valueOf = (line: Line) => values.get(`${line.Type} ${line.Value}`) ?? String(line.Value);
    // A time that goes back stands where it says; lines of one time keep their order.
    group.sort((a, b) => Number(a.Time) - Number(b.Time) || a.order - b.order);
    const stack: { line: Line; level: number }[] = [];
    const close = (time: number) => {
      const { line, level } = stack.pop() as { line: Line; level: number };
      rows.states.push({ ...at, start: Number(line.Time), end: time, level, value: valueOf(line) });
    };
    const steps: { time: number; value: bigint }[] = [];
    for (const line of group) {
      const time = Number(line.Time);
      if (line.event === "SetState" || line.event === "ResetState") while (stack.length > 0) close(time);
      if (line.event === "SetState" || line.event === "PushState") stack.push({ line, level: stack.length });
      if (line.event === "PopState") close(time);
      if (line.event === "NewEvent") rows.events.push({ ...at, time, value: valueOf(line) });
      if (/Variable$/.test(line.event)) {
        const change = exactly(String(line.Value));
        const before = steps.at(-1)?.value ?? 0n;
        const value =
          line.event === "SetVariable" ? change : before + (line.event === "AddVariable" ? change : -change);
        if (steps.at(-1)?.time === time) steps.pop();
        steps.push({ time, value });
      }
    }
    while (stack.length > 0) close(end);
    steps.forEach(({ time, value }, index) =>
      rows.variables.push({ ...at, start: time, end: steps[index + 1]?.time ?? end, value: Number(value) / 1e18 }),
    );
    const starts = new Map(group.filter(({ event }) => event === "StartLink").map((line) => [line.Key, line]));
    for (const line of group)
      if (line.event === "EndLink") {
        const start = starts.get(line.Key) as Line;
        rows.links.push({
          ...at,
          start: Number(start.Time),
          end: Number(line.Time),
          value: valueOf(start),
          from: (containers.get(String(start.StartContainer)) as Container).name,
          to: (containers.get(String(line.EndContainer)) as Container).name,
          key: String(line.Key),
          bytes: start.Size === undefined ? NaN : Number(start.Size),
        });
      }
  }
  return rows;
}
