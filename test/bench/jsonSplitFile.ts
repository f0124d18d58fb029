import fs from "node:fs";

/** Contexts of the generated profile: a tree of fan-out 8. */
const CONTEXTS = 20_000;

/** Nodes of the columns that say what the values are; the contexts come after them. */
const OTHERS = [
  '{ "label": "Node order", "column": "attribute.alias" }',
  '{ "label": "time", "column": "attribute.alias", "parent": 0 }',
  '{ "label": "sec", "column": "attribute.unit" }',
  '{ "label": "min#aggregate.slot", "column": "cali.attribute.name" }',
  '{ "label": "sum#sum#time.duration", "column": "cali.attribute.name", "parent": 3 }',
  '{ "label": "mpi.rank", "column": "cali.attribute.name", "parent": 4 }',
];

const NOT_VALUE = '{ "is_value": false }';
const COLUMNS: readonly (readonly [name: string, metadata: string])[] = [
  ["attribute.alias", NOT_VALUE],
  ["attribute.unit", NOT_VALUE],
  ["cali.attribute.name", NOT_VALUE],
  ["min#aggregate.slot", '{ "is_value": true, "attribute.alias": "Node order" }'],
  ["mpi.rank", '{ "is_value": true }'],
  ["subscription_event", NOT_VALUE],
  ["sum#sum#time.duration", '{ "is_value": true, "attribute.alias": "time", "attribute.unit": "sec" }'],
  ["path", NOT_VALUE],
];

/**
 * Writes a profile as Caliper's `hatchet-region-profile` does in json-split: a row a context and rank, with the columns, blanks
 * and decimals of the real ones.
 *
 * @returns bytes written and number of rows
 */
export function writeJsonSplit(file: string, bytes: number): { bytes: number; records: number } {
  const out = fs.openSync(file, "w");
  let written = 0;
  const put = (text: string) => (written += fs.writeSync(out, text));
  put('{\n  "data": [\n');
  let records = 0;
  let seed = 4711;
  for (let rank = 0; written < bytes; rank++) {
    const rows: string[] = [];
    for (let context = 0; context < CONTEXTS; context++) {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
      const seconds = (seed / 1e9).toFixed(6);
      rows.push(`    [ 1, 2, 5, ${context}, ${rank}, null, ${seconds}, ${OTHERS.length + context} ]`);
    }
    records += rows.length;
    put((rank > 0 ? ",\n" : "") + rows.join(",\n"));
  }
  const contexts = Array.from({ length: CONTEXTS }, (_, at) => {
    const parent = at === 0 ? "" : `, "parent": ${OTHERS.length + ((at - 1) >> 3)}`;
    return `{ "label": "region_${at % 1500}", "column": "path"${parent} }`;
  });
  put(`\n  ],\n  "columns": [ ${COLUMNS.map(([name]) => `"${name}"`).join(", ")} ],\n`);
  put(`  "column_metadata": [ ${COLUMNS.map(([, metadata]) => metadata).join(", ")} ],\n`);
  put(`  "nodes": [ ${[...OTHERS, ...contexts].join(", ")} ],\n`);
  put('  "mpi.world.size": "4096",\n  "cali.channel": "runtime-profile"\n}\n');
  fs.closeSync(out);
  return { bytes: written, records };
}
