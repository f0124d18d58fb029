/** A column of integers that grows. */
export class IntColumn {
  length = 0;
  values = new Int32Array(256);

  push(value: number): void {
    if (this.length === this.values.length) {
      const wider = new Int32Array(this.length * 2);
      wider.set(this.values);
      this.values = wider;
    }
    this.values[this.length++] = value;
  }
}
