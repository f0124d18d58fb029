import { WarningList } from "../../warnings";

/** So many lines of one kind of problem are listed; the others are counted. */
const MOST_LINES = 3;

/** What is wrong with a trace and is read all the same; a kind of problem is what its lines have in common: `times that go back`. */
export class Problems extends WarningList {
  constructor() {
    super(MOST_LINES);
  }

  warnings() {
    return this.all((count, kind) => `${count} further lines: ${kind}`);
  }
}
