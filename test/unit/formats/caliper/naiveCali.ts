/**
 * A second `.cali` reader, as naive as can be: whole file as text, lines split, Maps of strings. It knows nothing of the
 * real one, so that both agreeing to the last bit means something. Regions only; sums of every number by path and place.
 */
export interface NaiveAttribute {
  name: string;
  type: string;
  properties: number;
  metadata: Map<string, string>;
}

export interface NaiveRecording {
  /** By attribute name, path and location (`rank,thread`): the values as they stand in the file. */
  values: Map<string, Map<string, Map<string, number[]>>>;
  attributes: Map<string, NaiveAttribute>;
  globals: Map<string, string[]>;
  records: number;
  /** What each record says, in the file's order. */
  rows: { of: NaiveAttribute; data: string }[][];
}

interface Node {
  attribute: string;
  data: string;
  parent: string | undefined;
}

export function readNaively(text: string): NaiveRecording {
  const nodes = new Map<string, Node>();
  const types = new Map([..."usr,int,uint,string,addr,double,bool,type".split(",").entries(), [11, "ptr"] as const]);
  for (const [id, name] of types) nodes.set(String(id), { attribute: "9", data: name, parent: undefined });
  for (const [id, name] of [
    ["8", "cali.attribute.name"],
    ["9", "cali.attribute.type"],
    ["10", "cali.attribute.prop"],
  ])
    nodes.set(id, { attribute: "8", data: name, parent: undefined });
  const branch = (id: string): Node[] => {
    const found: Node[] = [];
    for (let at: string | undefined = id; at !== undefined; at = nodes.get(at)?.parent) {
      const node = nodes.get(at);
      if (!node) throw new Error(`node ${at}`);
      found.unshift(node);
    }
    return found;
  };
  const described = new Map<string, NaiveAttribute>();
  const attribute = (id: string): NaiveAttribute => {
    const known = described.get(id);
    if (known) return known;
    const metadata = new Map<string, string>();
    let properties = 0;
    let type = "";
    for (const node of branch(id).slice(0, -1)) {
      if (node.attribute === "10") properties = Number(node.data);
      else if (node.attribute === "9") type = node.data;
      else metadata.set(attribute(node.attribute).name, node.data);
    }
    const result = { name: nodes.get(id)?.data ?? "", type, properties, metadata };
    described.set(id, result);
    return result;
  };
  const values: NaiveRecording["values"] = new Map();
  const attributes = new Map<string, NaiveAttribute>();
  const globals = new Map<string, string[]>();
  let records = 0;
  const rows: NaiveRecording["rows"] = [];
  const lines = text.split("\n");
  for (const line of lines.slice(0, -1)) {
    const fields = new Map<string, string[]>();
    for (const field of splitAt(line.replace(/\r$/, ""), ",")) {
      const [key, ...rest] = splitAt(field, "=");
      fields.set(
        key,
        rest.map((value) => value.replace(/\\([^])/g, (_, sign) => (sign === "n" ? "\n" : sign))),
      );
    }
    const [kind] = fields.get("__rec") ?? [];
    if (kind === "node") {
      const one = (key: string) => (fields.get(key) ?? [])[0];
      nodes.set(one("id"), { attribute: one("attr"), data: one("data"), parent: one("parent") });
      continue;
    }
    const references = (fields.get("ref") ?? []).flatMap(branch);
    const immediate = (fields.get("attr") ?? []).map((id, at) => ({ id, data: (fields.get("data") ?? [])[at] }));
    const entries = [
      ...references.map((node) => ({ of: attribute(node.attribute), data: node.data })),
      ...immediate.map(({ id, data }) => ({ of: attribute(id), data })),
    ];
    if (kind === "globals") {
      for (const { of, data } of entries) globals.set(of.name, [...(globals.get(of.name) ?? []), data]);
      continue;
    }
    records++;
    rows.push(entries);
    const path = JSON.stringify(entries.filter(({ of }) => of.properties & 256).map(({ data }) => data));
    const first = (name: string) => entries.find(({ of }) => of.name === name)?.data ?? "";
    const place = `${first("mpi.rank")},${first("omp.thread.id") || first("pthread.id")}`;
    for (const { id, data } of immediate) {
      const of = attribute(id);
      attributes.set(of.name, of);
      const byPath = values.get(of.name) ?? new Map<string, Map<string, number[]>>();
      values.set(of.name, byPath);
      const byPlace = byPath.get(path) ?? new Map<string, number[]>();
      byPath.set(path, byPlace);
      const list = byPlace.get(place) ?? [];
      byPlace.set(place, list);
      list.push(
        data.endsWith("nan")
          ? Number.NaN
          : data.endsWith("inf")
            ? Number(data.replace("inf", "Infinity"))
            : Number(data),
      );
    }
  }
  return { values, attributes, globals, records, rows };
}

/** Whole numbers (below 2^53 each) are summed exactly, then the others by ascending value; what is not finite counts only alone. */
export function naiveSum(values: readonly number[]): number {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return values.reduce((sum, value) => sum + value);
  const whole = finite.filter(Number.isSafeInteger).reduce((sum, value) => sum + BigInt(value), 0n);
  return finite
    .filter((value) => !Number.isSafeInteger(value))
    .sort((a, b) => a - b)
    .reduce((sum, value) => sum + value, Number(whole));
}

function splitAt(text: string, separator: string): string[] {
  const parts = [""];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") parts[parts.length - 1] += text[at] + text[++at];
    else if (text[at] === separator) parts.push("");
    else parts[parts.length - 1] += text[at];
  }
  return parts.map((part, index) => (separator === "=" && index === 0 ? part.trim() : part));
}
