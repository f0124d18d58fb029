/** The scatter's numbers as rows, with the same actions. */
import { axisNames, type ScatterMessage } from "../../src/protocol/correlation";
import { html } from "../shared/dom";
import { type Column, type RowActions, Table } from "../shared/table";
import { amount, axisName, isOfCode, markName } from "./describe";

export interface Row {
  readonly scatter: ScatterMessage;
  readonly mark: number;
  readonly isChosen: boolean | undefined;
}

export class Twin {
  readonly element = html("div", { class: "twin", hidden: true });
  private table: Table<Row> | undefined;
  private shown = "";

  constructor(private readonly actions: RowActions<Row>) {}

  show(
    scatter: ScatterMessage,
    chosen: ReadonlySet<number> | undefined,
    selected: number | undefined,
    found: ReadonlySet<number> | undefined,
  ): void {
    const columns = columnsOf(scatter, chosen !== undefined);
    const titles = columns.map(({ title }) => title).join("\n");
    if (!this.table || titles !== this.shown) {
      this.shown = titles;
      this.table = new Table<Row>(scatter.density ? "Cells" : "Points", columns, this.actions, 1);
      this.element.replaceChildren(this.table.element);
    }
    const marks = [...scatter.called.keys()].filter((mark) => found === undefined || found.has(mark));
    this.table.show(
      marks.map((mark): Row => ({ scatter, mark, isChosen: chosen?.has(mark) })),
      ({ mark }) => mark === selected || chosen?.has(mark) === true,
    );
  }
}

function columnsOf(scatter: ScatterMessage, hasChosen: boolean): Column<Row>[] {
  const { nouns, points, density } = scatter;
  const name = density ? `largest ${nouns[0]}` : nouns[0];
  const columns: Column<Row>[] = [
    isOfCode(points)
      ? { title: name, text: (row) => markName(row.scatter, row.mark), key: (row) => markName(row.scatter, row.mark) }
      : { title: name, text: (row) => markName(row.scatter, row.mark), key: ({ mark }) => mark },
    ...axisNames.map((axis): Column<Row> => {
      const value = ({ scatter: { xs, ys }, mark }: Row) => (axis === "x" ? xs : ys)[mark];
      return {
        title: `${axis}: ${axisName(scatter[axis], scatter)}`,
        text: (row) => amount(row.scatter, axis, value(row)),
        key: value,
      };
    }),
  ];
  if (density) {
    const count = ({ scatter: shown, mark }: Row) => shown.density?.counts[mark] ?? 0;
    columns.push({ title: nouns[1], text: (row) => count(row).toLocaleString("en"), key: count });
  }
  if (hasChosen) columns.push({ title: "chosen", text: ({ isChosen }) => (isChosen ? "yes" : "no"), key: (row) => Number(row.isChosen) }); // prettier-ignore
  return columns;
}
