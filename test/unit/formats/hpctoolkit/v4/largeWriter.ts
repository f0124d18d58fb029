import { Bytes } from "./bytes";

/**
 * A large profile.db in pieces: every profile has the inclusive value (metric 3) and the function value (metric 1) of the
 * contexts 1 to `contexts`.
 *
 * @param valueOf value of a context in a profile; not 0
 */
export function* largeProfileDb(
  profiles: number,
  contexts: number,
  valueOf: (profile: number, context: number, metric: number) => number,
): Generator<Buffer> {
  const head = 16 + 32 + 16;
  const tuples = head + 48 * profiles;
  const first = tuples + 40 * profiles;
  const values = 2 * contexts * 10;
  const each = Math.ceil((values + 12 * contexts) / 8) * 8;
  const out = new Bytes();
  out.header("prof", 2);
  const section = out.space(16);
  out.u64(section, head);
  out.u32(section + 8, profiles);
  out.u8(section + 12, 48);
  out.section(0, section, 16);
  out.section(1, tuples, 40 * profiles);
  out.space(88 * profiles);
  for (let profile = 0; profile < profiles; profile++) {
    const [info, tuple, at] = [head + 48 * profile, tuples + 40 * profile, first + each * profile];
    out.u64(info, 2 * contexts);
    out.u64(info + 8, at);
    out.u32(info + 16, contexts);
    out.u64(info + 24, at + values);
    out.u64(info + 32, tuple);
    out.u16(tuple, 2);
    [2, 3].forEach((kind, index) => {
      out.u8(tuple + 8 + 16 * index, kind);
      out.u32(tuple + 12 + 16 * index, kind === 2 ? profile : 0);
    });
  }
  const header = out.end("");
  yield header.subarray(0, first);
  for (let profile = 0; profile < profiles; profile++) {
    const block = Buffer.alloc(each);
    for (let context = 1, at = 0; context <= contexts; context++)
      for (const metric of [1, 3]) {
        block.writeUInt16LE(metric, at);
        block.writeDoubleLE(valueOf(profile, context, metric), at + 2);
        at += 10;
      }
    for (let row = 0; row < contexts; row++) {
      block.writeUInt32LE(row + 1, values + 12 * row);
      block.writeBigUInt64LE(BigInt(2 * row), values + 12 * row + 4);
    }
    yield block;
  }
  yield Buffer.from("_prof.db");
}
