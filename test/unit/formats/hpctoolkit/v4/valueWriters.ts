/** Write the files of values: by profile, by context, and in time. */
import { Bytes } from "./bytes";
import type { WrittenProfile, WrittenTrace } from "./written";

export function profileDb(profiles: readonly WrittenProfile[], wider = 0): Buffer {
  const stride = 48 + wider;
  const out = new Bytes();
  out.header("prof", 2);
  const section = out.space(16);
  const infos = out.space(stride * profiles.length);
  out.u64(section, infos);
  out.u32(section + 8, profiles.length);
  out.u8(section + 12, stride);
  out.section(0, section, 16);
  const tuples = out.length;
  profiles.forEach(({ ids }, index) => {
    if (ids.length === 0) return;
    const tuple = out.space(8 + 16 * ids.length);
    out.u16(tuple, ids.length);
    ids.forEach(([kind, id], at) => {
      out.u8(tuple + 8 + 16 * at, kind);
      out.u32(tuple + 8 + 16 * at + 4, id);
      out.u64(tuple + 8 + 16 * at + 8, id);
    });
    out.u64(infos + index * stride + 32, tuple);
  });
  out.section(1, tuples, out.length - tuples);
  profiles.forEach(({ values, summary }, index) => {
    const info = infos + index * stride;
    const contexts = [...values].sort(([a], [b]) => a - b);
    const rows = contexts.flatMap(([, some]) => [...some]);
    const at = out.space(10 * rows.length, 2);
    rows.forEach(([metric, value], row) => {
      out.u16(at + 10 * row, metric);
      out.f64(at + 10 * row + 2, value);
    });
    const table = out.space(12 * contexts.length, 4);
    let start = 0;
    contexts.forEach(([context, some], row) => {
      out.u32(table + 12 * row, context);
      out.u64(table + 12 * row + 4, start);
      start += some.length;
    });
    out.u64(info, rows.length);
    out.u64(info + 8, at);
    out.u32(info + 16, contexts.length);
    out.u64(info + 24, table);
    out.u32(info + 40, summary ? 1 : 0);
  });
  return out.end("_prof.db");
}

export function contextDb(profiles: readonly WrittenProfile[], wider = 0): Buffer {
  const stride = 32 + wider;
  const cells = new Map<number, Map<number, [number, number][]>>();
  profiles.forEach(({ values, summary }, profile) => {
    if (summary) return;
    for (const [context, some] of values)
      for (const [metric, value] of some) {
        const byMetric = cells.get(context) ?? new Map<number, [number, number][]>();
        cells.set(context, byMetric);
        byMetric.set(metric, [...(byMetric.get(metric) ?? []), [profile, value]]);
      }
  });
  const count = Math.max(0, ...cells.keys()) + 1;
  const out = new Bytes();
  out.header("ctxt", 1);
  const section = out.space(16);
  const infos = out.space(stride * count);
  out.u64(section, infos);
  out.u32(section + 8, count);
  out.u8(section + 12, stride);
  out.section(0, section, 16);
  for (const [context, byMetric] of cells) {
    const metrics = [...byMetric].sort(([a], [b]) => a - b);
    const rows = metrics.flatMap(([, some]) => some);
    const at = out.space(12 * rows.length, 4);
    rows.forEach(([profile, value], row) => {
      out.u32(at + 12 * row, profile);
      out.f64(at + 12 * row + 4, value);
    });
    const table = out.space(10 * metrics.length, 2);
    let start = 0;
    metrics.forEach(([metric, some], row) => {
      out.u16(table + 10 * row, metric);
      out.u64(table + 10 * row + 2, start);
      start += some.length;
    });
    const info = infos + context * stride;
    out.u64(info, rows.length);
    out.u64(info + 8, at);
    out.u16(info + 16, metrics.length);
    out.u64(info + 24, table);
  }
  return out.end("__ctx.db");
}

export function traceDb(traces: readonly WrittenTrace[], wider = 0): Buffer {
  const stride = 24 + wider;
  const out = new Bytes();
  out.header("trce", 1);
  const section = out.space(32);
  const lines = out.space(stride * traces.length);
  const times = traces.flatMap(({ samples }) => samples.map(([time]) => time));
  out.u64(section, lines);
  out.u32(section + 8, traces.length);
  out.u8(section + 12, stride);
  out.u64(
    section + 16,
    times.reduce((least, time) => (time < least ? time : least), times[0] ?? 0n),
  );
  out.u64(
    section + 24,
    times.reduce((most, time) => (time > most ? time : most), times[0] ?? 1n),
  );
  out.section(0, section, 32);
  traces.forEach(({ profile, samples }, index) => {
    const at = out.space(12 * samples.length, 4);
    samples.forEach(([time, context], row) => {
      out.u64(at + 12 * row, time);
      out.u32(at + 12 * row + 8, context);
    });
    out.u32(lines + index * stride, profile);
    out.u64(lines + index * stride + 8, at);
    out.u64(lines + index * stride + 16, at + 12 * samples.length);
  });
  return out.end("trace.db");
}
