/** Writes HPCToolkit 4 databases of any shape. Written from the description of the format, not from the reader. */
import { metaDb } from "./metaWriter";
import { contextDb, profileDb, traceDb } from "./valueWriters";
import type { Written } from "./written";

/** The four files of a database, by name. */
export function database(written: Written): {
  "meta.db": Buffer;
  "profile.db": Buffer;
  "cct.db": Buffer;
  "trace.db": Buffer;
} {
  return {
    "meta.db": metaDb(written),
    "profile.db": profileDb(written.profiles, written.wider),
    "cct.db": contextDb(written.profiles, written.wider),
    "trace.db": traceDb(written.traces ?? [], written.wider),
  };
}
