import { ROLES } from "./eventKinds";

/** The fields of one line, by role; only those that the line's definition has are of this line. */
export class Fields {
  bytes: Uint8Array = new Uint8Array(0);
  /** Where texts start and end in `bytes`. */
  readonly start = new Int32Array(ROLES + 1);
  readonly end = new Int32Array(ROLES + 1);
  /** Of texts, and of references to names that are new. */
  readonly hash = new Int32Array(ROLES + 1);
  /** The name that a reference is; NONE for a new one. */
  readonly token = new Int32Array(ROLES + 1);
  /** Fields that are read as numbers; NaN where they are none. */
  readonly number = new Float64Array(ROLES + 1);
  file = "";
  line = 0;

  textOf(role: number): string {
    return Buffer.from(this.bytes.subarray(this.start[role], this.end[role])).toString();
  }

  /** As it is shown in a message: short, whatever was written. */
  shown(role: number): string {
    const length = this.end[role] - this.start[role];
    return length <= 60 ? `"${this.textOf(role)}"` : `a name of ${length} bytes`;
  }
}
