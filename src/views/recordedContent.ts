import type { DataSetInfo, Rows } from "../engine/api";
import { entryOf } from "../model/maps";
import { shownUnit } from "../session/scopeChoice";
import type { Session } from "../session/session";
import type { Content, Row } from "./row";
import {
  categoryRow,
  counterRow,
  countText,
  iterationRow,
  laneRow,
  messagePairRow,
  resourceRow,
  transferRow,
} from "./recordedRows";

/** Rows shown at first; each click on the last one shows as many times more. */
const PAGE = 100;
const TIMES = 4;

/** Lists below a data set's rows, asked from the engine when they are unfolded and kept as long as the data set is as it is. */
export class RecordedContent {
  private readonly known = new WeakMap<DataSetInfo, Map<string, Promise<Row[]>>>();
  private readonly limits = new Map<string, number>();

  constructor(private readonly session: Session) {}

  /** @param row one with a content */
  childrenOf(row: Row, content: Content): Promise<Row[]> {
    const info = this.session.dataSets.find(({ id }) => id === row.dataSet);
    if (!info) return Promise.resolve([]);
    const lists = entryOf(this.known, info, () => new Map<string, Promise<Row[]>>());
    const kept = lists.get(row.key);
    if (kept) return kept;
    const asked = this.ask(info, row, content);
    lists.set(row.key, asked);
    asked.catch(() => lists.delete(row.key));
    return asked;
  }

  /** @param key of the row whose list goes on */
  showMore(dataSet: number, key: string): void {
    this.limits.set(key, this.limitOf(key) * TIMES);
    const info = this.session.dataSets.find(({ id }) => id === dataSet);
    if (info) this.known.get(info)?.delete(key);
  }

  private limitOf(key: string): number {
    return this.limits.get(key) ?? PAGE;
  }

  private async ask(info: DataSetInfo, { key }: Row, content: Content): Promise<Row[]> {
    const { rows, more } = await this.rowsOf(info, content, this.limitOf(key));
    if (more === 0) return [...rows];
    const label = `${countText(more)} more…`;
    return [...rows, { key: `${key}/more`, dataSet: info.id, label, icon: "ellipsis", continues: key }];
  }

  private async rowsOf(info: DataSetInfo, content: Content, limit: number): Promise<Rows<Row>> {
    const { engine } = this.session;
    const { id } = info;
    switch (content.kind) {
      case "lanes":
        return as(await engine.lanes({ dataSet: id, limit }), (lane) => laneRow(id, lane));
      case "categories":
        return {
          rows: (await engine.categories({ dataSet: id })).map((category) => categoryRow(id, category)),
          more: 0,
        };
      case "counters":
        return as(await engine.counters({ dataSet: id, limit }), (counter) => counterRow(id, counter));
      case "messages":
        return as(await engine.messagePairs({ dataSet: id, limit }), (pair) => messagePairRow(id, pair));
      case "transfers":
        return {
          rows: (await engine.transfers({ dataSet: id })).map((transfer) => transferRow(id, transfer)),
          more: 0,
        };
      case "iterations": {
        const series = info.series.at(content.series);
        const metric = series && info.metrics.at(series.metric);
        const unit = metric ? shownUnit(metric) : "1";
        const rows = await engine.seriesRows({ dataSet: id, series: content.series, limit });
        return as(rows, (row) => iterationRow(id, content.series, unit, row));
      }
      case "resources":
        return as(await engine.resources({ dataSet: id, parent: content.parent, limit }), (resource) =>
          resourceRow(id, resource),
        );
    }
  }
}

function as<From>({ rows, more }: Rows<From>, to: (row: From) => Row): Rows<Row> {
  return { rows: rows.map(to), more };
}
