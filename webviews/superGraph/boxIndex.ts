/** Finds boxes near a place without looking at all of them: each is listed in the cells of a grid that it touches. */

export interface Edges {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Pixels: about the size of a label. */
export const CELL = 48;

export class BoxIndex<Box extends Edges = Edges> {
  private readonly columns: number;
  private readonly rows: number;
  private readonly cells: (Box[] | undefined)[] = [];

  /** Only what lies within this size is kept, since nothing else is asked for. */
  constructor(width: number, height: number, boxes: Iterable<Box> = []) {
    this.columns = Math.max(1, Math.ceil(width / CELL));
    this.rows = Math.max(1, Math.ceil(height / CELL));
    for (const box of boxes) this.add(box);
  }

  add(box: Box): void {
    this.eachCell(box, (cell) => void (this.cells[cell] ??= []).push(box));
  }

  /** Calls `visit` for every box that overlaps the area, sometimes twice, until it returns true. @returns whether it did */
  some(area: Edges, visit: (box: Box) => boolean): boolean {
    return this.eachCell(area, (cell) => {
      for (const box of this.cells[cell] ?? []) {
        if (overlaps(box, area) && visit(box)) return true;
      }
      return undefined;
    });
  }

  /**
   * How wide a box may be that grows from `x` to one side and keeps this far from those in the index. Asked for thousands of times a
   * redraw, so it makes no objects.
   *
   * @param wanted pixels at most
   * @param least less is of no use, however little it is
   */
  roomBeside(
    x: number,
    grows: 1 | -1,
    top: number,
    bottom: number,
    gap: number,
    wanted: number,
    least: number,
  ): number {
    const left = grows === 1 ? x : x - wanted - gap;
    const right = grows === 1 ? x + wanted + gap : x;
    const lastColumn = Math.min(this.columns - 1, Math.floor(right / CELL));
    const lastRow = Math.min(this.rows - 1, Math.floor(bottom / CELL));
    let room = wanted;
    for (let row = Math.max(0, Math.floor(top / CELL)); row <= lastRow; row++)
      for (let column = Math.max(0, Math.floor(left / CELL)); column <= lastColumn; column++) {
        const boxes = this.cells[row * this.columns + column];
        if (!boxes) continue;
        for (const box of boxes) {
          if (box.left >= right || box.right <= left || box.top >= bottom || box.bottom <= top) continue;
          room = Math.min(room, grows === 1 ? box.left - gap - x : x - (box.right + gap));
          if (room < least) return room;
        }
      }
    return room;
  }

  private eachCell({ left, right, top, bottom }: Edges, visit: (cell: number) => boolean | undefined | void): boolean {
    const firstColumn = Math.max(0, Math.floor(left / CELL));
    const lastColumn = Math.min(this.columns - 1, Math.floor(right / CELL));
    const lastRow = Math.min(this.rows - 1, Math.floor(bottom / CELL));
    for (let row = Math.max(0, Math.floor(top / CELL)); row <= lastRow; row++) {
      for (let column = firstColumn; column <= lastColumn; column++) {
        if (visit(row * this.columns + column) === true) return true;
      }
    }
    return false;
  }
}

export function overlaps(a: Edges, b: Edges): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}
