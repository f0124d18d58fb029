/** RAJAPerf's recordings read as text, line by line, without the reader that is tested. */

type Fields = Readonly<Record<string, string>>;

function linesOf(text: string): Fields[] {
  return text
    .split("\n")
    .map((line) =>
      Object.fromEntries(
        line
          .split(/(?<!\\),/)
          .map((field) => [field.slice(0, field.indexOf("=")), field.slice(field.indexOf("=") + 1)]),
      ),
    );
}

/** What a recording says of its run: the chain of nodes that its globals are. */
export function globalsIn(text: string): ReadonlyMap<string, string> {
  const nodes = new Map<string, Fields>();
  const found = new Map<string, string>();
  for (const fields of linesOf(text)) {
    if (fields.__rec === "node") nodes.set(fields.id, fields);
    if (fields.__rec !== "globals") continue;
    for (const id of (fields.ref ?? "").split("="))
      for (let node = nodes.get(id); node; node = nodes.get(node.parent)) {
        const name = nodes.get(node.attr)?.data;
        if (name !== undefined && !found.has(name)) found.set(name, node.data);
      }
  }
  return found;
}

/** `Avg time/rank` of each region, read line by line: inclusive, as recorded. */
export function averagesIn(text: string): Map<string, number> {
  const nodes = new Map<string, Record<string, string>>();
  const found = new Map<string, number>();
  let average = "";
  for (const fields of linesOf(text)) {
    if (fields.__rec === "node") {
      nodes.set(fields.id, fields);
      if (fields.attr === "8" && fields.data === "avg#inclusive#sum#time.duration") average = fields.id;
    }
    const at = (fields.attr ?? "").split("=").indexOf(average);
    if (fields.__rec !== "ctx" || fields.ref === undefined || at < 0) continue;
    const region = fields.ref
      .split("=")
      .map((id) => nodes.get(id))
      .find((node) => ["region", "annotation"].includes(nodes.get(node?.attr ?? "")?.data ?? ""));
    if (region) found.set(region.data, Number(fields.data.split("=")[at]));
  }
  return found;
}
