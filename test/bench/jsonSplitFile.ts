import fs from "node:fs";

/** Contexts of the generated profile: a tree of fan-out 8. */
const CONTEXTS = 20_000;

/**
 * Writes a profile as `cali-query -q "format json-split"` does: a row a context and rank, with time (six decimals), count and
 * rank.
 *
 * @returns bytes written and number of rows
 */
export function writeJsonSplit(file: string, bytes: number): { bytes: number; records: number } {
  const out = fs.openSync(file, "w");
  let written = 0;
  const put = (text: string) => (written += fs.writeSync(out, text));
  put('{\n"data": [\n');
  let rows: string[] = [];
  let records = 0;
  let seed = 4711;
  for (let rank = 0; written < bytes; rank++) {
    for (let context = 0; context < CONTEXTS; context++) {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
      rows.push(`[ ${(seed / 1e9).toFixed(6)}, ${1 + (seed % 977)}, ${rank}, ${context} ]`);
      records++;
    }
    put((rank > 0 ? ",\n" : "") + rows.join(",\n"));
    rows = [];
  }
  const nodes = Array.from({ length: CONTEXTS }, (_, at) => {
    const parent = at === 0 ? "" : `, "parent": ${(at - 1) >> 3}`;
    return `{ "label": "region_${at % 1500}", "column": "path"${parent} }`;
  });
  put('\n],\n"columns": [ "sum#time.duration", "region.count", "mpi.rank", "path" ],\n"column_metadata": [ ');
  put('{ "is_value": true, "attribute.alias": "time", "attribute.unit": "sec" }, { "is_value": true }, ');
  put(
    `{ "is_value": true }, { "is_value": false } ],\n"nodes": [ ${nodes.join(", ")} ],\n"cali.channel": "bench"\n}\n`,
  );
  fs.closeSync(out);
  return { bytes: written, records };
}
