const NANOSECONDS = 1e9;

/**
 * Clock of one file, from its first sample. Whole seconds and nanoseconds are subtracted apart: seconds since 1970 have no room for
 * nanoseconds in a double, seconds from the start have.
 */
export class SampleClock {
  private whole: number | undefined;
  private nanoseconds = 0;

  /** @param text digits, a point and up to nine places @returns seconds since the first time that was read */
  read(text: string): number {
    const point = text.indexOf(".");
    const whole = Number(text.slice(0, point));
    const nanoseconds = Number(text.slice(point + 1).padEnd(9, "0"));
    if (this.whole === undefined) {
      this.whole = whole;
      this.nanoseconds = nanoseconds;
    }
    return ((whole - this.whole) * NANOSECONDS + (nanoseconds - this.nanoseconds)) / NANOSECONDS;
  }
}
