import type { NaiveAttribute, NaiveRecording } from "./naiveCali";

const AS_VALUE = 1;
const HIDDEN = 128;
const NESTED = 256;
const GLOBAL = 512;

/** A recording as `cali-query -q "format json"` writes it, or `json(object)`: digits as they stand in the `.cali` file. */
export function jsonOf(recording: NaiveRecording, form: "records" | "object", quoteAll = false): string {
  const records = recording.rows.map((row) => {
    const quoted = new Map<string, string>();
    const bare = new Map<string, string>();
    for (const { of, data } of row) {
      if (of.properties & (HIDDEN | GLOBAL) || of.name.startsWith("cali.attribute.")) continue;
      const key = of.properties & NESTED ? "path" : of.name;
      if (!(of.properties & AS_VALUE)) quoted.set(key, quoted.has(key) ? `${quoted.get(key)}/${data}` : data);
      else if (quoteAll || of.type === "string") quoted.set(key, data);
      else bare.set(key, data);
    }
    const pairs = [...quoted].map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
    return `{${[...pairs, ...[...bare].map(([key, value]) => `${JSON.stringify(key)}:${value}`)].join(",")}}`;
  });
  const list = `[\n${records.join(",\n")}\n]`;
  if (form === "records") return `${list}\n`;
  const globals = [...recording.globals].map(
    ([key, values]) => `${JSON.stringify(key)}: ${JSON.stringify(values.join("/"))}`,
  );
  const attributes = [...recording.attributes.values()].map((of) => `"${of.name}": {${describe(of)}}`);
  return `{\n"records": ${list},\n"globals": {\n${globals.join(",\n")}\n},\n"attributes": {\n${attributes.join(",\n")}\n}\n}\n`;
}

/** Attribute names stand there as they are, quotes among them: so the tool writes them. */
function describe(of: NaiveAttribute): string {
  const properties = {
    "cali.attribute.name": of.name,
    ...Object.fromEntries(of.metadata),
    "cali.attribute.prop": String(of.properties),
    "cali.attribute.type": of.type,
  };
  const flags = `"is_global": ${(of.properties & GLOBAL) !== 0},"is_nested": ${(of.properties & NESTED) !== 0}`;
  return [
    flags,
    ...Object.entries(properties).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`),
  ].join(",");
}

/** A recording as `cali-query -q "format json-split"` writes it: all columns share one table of nodes. */
export function splitOf(recording: NaiveRecording): string {
  const columns = new Map<string, { isValue: boolean; of: NaiveAttribute }>();
  const nodes = new Map<string, number>();
  const listed: object[] = [];
  const rows = recording.rows.map((row) => {
    const cells = new Map<string, string>();
    for (const { of, data } of row) {
      if (of.properties & (HIDDEN | GLOBAL) || of.name.startsWith("cali.attribute.")) continue;
      const isValue = (of.properties & AS_VALUE) !== 0 && of.type !== "string";
      const column = of.properties & NESTED ? "path" : of.name;
      columns.set(column, { isValue, of });
      if (isValue) {
        cells.set(column, data);
        continue;
      }
      const parent = cells.get(column);
      const key = `${parent} ${data}`;
      let node = nodes.get(key);
      if (node === undefined) {
        nodes.set(key, (node = listed.length));
        listed.push({ label: data, column, ...(parent === undefined ? {} : { parent: Number(parent) }) });
      }
      cells.set(column, String(node));
    }
    return cells;
  });
  const names = [...columns.keys()].sort((a, b) => Number(a === "path") - Number(b === "path"));
  const data = rows.map((cells) => `    [ ${names.map((name) => cells.get(name) ?? "null").join(", ")} ]`);
  const metadata = names.map((name) => {
    const { isValue, of } = columns.get(name) ?? { isValue: false };
    return { is_value: isValue, ...(name === "path" ? {} : Object.fromEntries(of?.metadata ?? [])) };
  });
  const globals = [...recording.globals].map(
    ([key, values]) => `,\n  ${JSON.stringify(key)}: ${JSON.stringify(values.join("/"))}`,
  );
  return `{
  "data": [\n${data.join(",\n")}\n  ],
  "columns": ${JSON.stringify(names)},
  "column_metadata": ${JSON.stringify(metadata)},
  "nodes": ${JSON.stringify(listed)}${globals.join("")}
}
`;
}
