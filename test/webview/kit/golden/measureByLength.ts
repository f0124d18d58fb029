/** Texts get a fixed width a character, so that fonts of the machine change nothing. Runs in the page before its script. */
export function measureByLength(): void {
  CanvasRenderingContext2D.prototype.measureText = function (text) {
    return { width: text.length * parseFloat(/[\d.]+px/.exec(this.font)?.[0] ?? "12") * 0.6 } as TextMetrics;
  };
}
