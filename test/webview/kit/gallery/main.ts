/** A page with the kit's frame and nothing of a panel: what people do is posted, what is shown is chosen by messages. */
import "../../../../webviews/kit/kit.css";
import "./gallery.css";
import { mountFrame } from "../../../../webviews/kit/frame/frame";
import type { Frame, FrameActions, FrameModel } from "../../../../webviews/kit/frame/model";
import { TableView } from "../../../../webviews/kit/table/table";
import { formatRatio, formatValue, threeDigits } from "../../../../src/model/units";
import { html } from "../../../../webviews/shared/dom";
import { type Change, changes, sample } from "./samples";

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };
const host = acquireVsCodeApi();

interface Bar {
  readonly name: string;
  readonly inclusive: number;
  readonly exclusive: number;
  readonly imbalance: number;
}

const bars: readonly Bar[] = [
  { name: "MPI", inclusive: 2109, exclusive: 2109, imbalance: 1.1 },
  { name: "solver.cpp", inclusive: 2400, exclusive: 275, imbalance: 1.1 },
  { name: "physics.cpp", inclusive: 264, exclusive: 264, imbalance: 3.69 },
  { name: "main.cpp", inclusive: 2690, exclusive: 26, imbalance: 1.28 },
  { name: "halo.cpp", inclusive: 2125, exclusive: 14.6, imbalance: 1.02 },
];
const TOTAL = 2690;

function table(rows: readonly Bar[]): TableView<Bar> {
  const percent = (amount: number) => threeDigits((amount / TOTAL) * 100);
  const time = (milliseconds: number) => formatValue(milliseconds / 1000, "s");
  const view = new TableView<Bar>(
    "The bars as a table",
    [
      { title: "bar", kind: "text", text: ({ name }) => name, key: ({ name }) => name },
      { title: "inclusive", kind: "number", text: (row) => time(row.inclusive), key: (row) => row.inclusive },
      { title: "%", kind: "share", text: (row) => percent(row.inclusive), key: (row) => row.inclusive },
      { title: "exclusive", kind: "number", text: (row) => time(row.exclusive), key: (row) => row.exclusive },
      { title: "%", kind: "share", text: (row) => percent(row.exclusive), key: (row) => row.exclusive },
      { title: "imbalance", kind: "number", text: (row) => formatRatio(row.imbalance), key: (row) => row.imbalance },
    ],
    {
      select: ({ name }) => host.postMessage({ type: "select", of: name }),
      opening:
        ({ name }) =>
        () =>
          host.postMessage({ type: "open", of: name }),
      menu: ({ name }) => host.postMessage({ type: "menu", of: name }),
    },
    3,
  );
  view.show(rows, ({ name }) => name === "solver.cpp");
  return view;
}

/** A frame that answers as a panel's page does. */
function mount(app: HTMLElement, first: FrameModel): Frame {
  let model = first;
  const change = (next: Partial<FrameModel>) => {
    model = { ...model, ...next };
    frame.show(model);
  };
  const post =
    (type: keyof FrameActions) =>
    (...values: unknown[]) =>
      host.postMessage({ type, values });
  const frame = mountFrame(app, {
    control: post("control"),
    step: post("step"),
    removeStep: post("removeStep"),
    removeChip: post("removeChip"),
    lead: post("lead"),
    noticeLink: post("noticeLink"),
    closeNotice: (id) => change({ notices: model.notices.filter((notice) => notice.id !== id) }),
    search: (text) => change({ search: text === undefined ? undefined : { text, count: text && "2 of 5" } }),
    nextFound: post("nextFound"),
    toggleTable: () => change({ table: !model.table }),
    save: post("save"),
    fit: post("fit"),
    explain: post("explain"),
    cancel: post("cancel"),
    button: post("button"),
    openPlace: post("openPlace"),
    detail: post("detail"),
    goTo: post("goTo"),
  });
  const mark = html("button", { class: "sample-mark", type: "button" }, "drawing");
  mark.addEventListener("pointerenter", () =>
    frame.tooltip.show(
      {
        name: "solver.cpp",
        place: "solver.cpp:45",
        facts: [
          ["inclusive", "2.40 s", "89.2 %"],
          ["exclusive", "275 ms", "10.2 %"],
          ["← main.cpp", "2.40 s", "89.2 %"],
          ["→ halo.cpp", "2.12 s", "79.0 %"],
        ],
        note: "mean over 8 ranks",
      },
      mark.getBoundingClientRect(),
    ),
  );
  frame.stage.append(html("div", { class: "sample-drawing" }, mark));
  frame.table.append(table(bars).element);
  frame.show(model);
  return frame;
}

const app = document.querySelector("main") ?? document.body;
let only: Frame | undefined;

interface Show {
  readonly change?: Change;
  readonly sheet?: boolean;
  readonly rows?: number;
}

window.addEventListener("message", ({ data }: MessageEvent<Show>) => {
  if (data.sheet) return sheet();
  const model = { ...sample(), ...changes[data.change ?? "plain"] };
  if (only) only.show(model);
  else only = mount(app, model);
  if (data.rows !== undefined)
    only.table.replaceChildren(
      table(Array.from({ length: data.rows }, (_, at) => ({ ...bars[1], name: `bar ${at}`, exclusive: at }))).element,
    );
});

/** Frames beside each other, as in the guide's picture. */
function sheet(): void {
  document.body.classList.add("sheet");
  const cell = (width: number, height: number, change: Partial<FrameModel>) => {
    const inner = html("div", { class: "cell" });
    inner.style.width = `${width}px`;
    inner.style.height = `${height}px`;
    app.append(inner);
    mount(inner, { ...sample(), ...change });
  };
  cell(1400, 158, {});
  cell(600, 158, {});
  cell(400, 158, {});
  cell(360, 158, { ...changes.search, ...changes["no details"], chips: [] });
  for (const change of ["empty", "problem", "progress", "notice", "first progress"] as const)
    cell(264, 230, changes[change]);
  cell(560, 260, { ...changes.table, details: undefined });
  cell(560, 158, changes.undone);
}
