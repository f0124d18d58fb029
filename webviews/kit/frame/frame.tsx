/** The frame of every panel: rows around a drawing, drawn from data (look, section 1). */
import { createRef, type RefObject, render } from "preact";
import { html } from "../../shared/dom";
import { explainControls } from "../overlay/hints";
import { Tooltip } from "../overlay/tooltip";
import { onThemeChange, readTheme, wearTheme } from "../theme/theme";
import type { Frame, FrameActions, FrameModel } from "./model";
import { ContextRow, DetailsStrip, FirstWork, Legend, Notice, SelectedPane, State, useIsLong } from "./rows";
import { CurveBeside } from "./curve";
import { type SearchKeys, Toolbar } from "./toolbar";

/** From this width on there is room for a column beside the drawing and for hints; pixels. */
const WIDE = 900;

const NOTHING: FrameModel = { controls: [], steps: [], chips: [], summary: [], notices: [], legend: [] };

/**
 * Puts a frame into the page.
 *
 * @param app the page's element, which the frame fills
 */
export function mountFrame(app: HTMLElement, actions: FrameActions): Frame {
  const root = html("div", { class: "frame" });
  app.append(root);
  wearTheme(readTheme());
  onThemeChange(() => wearTheme(readTheme()));
  const tooltip = new Tooltip(app);
  explainControls(root, tooltip);
  new ResizeObserver(() => root.classList.toggle("wide", root.clientWidth >= WIDE)).observe(root);

  const slots: Slots = { strip: createRef(), stage: createRef(), side: createRef(), table: createRef() };
  const field = () => root.querySelector<HTMLInputElement>(".search input");
  /** Where the focus is due when the next model is shown: the field was asked for, or closed. */
  let due: "field" | "back" | undefined;
  let before: Element | null = null;
  const search: SearchKeys = {
    open() {
      const input = field();
      if (input) return input.select();
      before = document.activeElement;
      due = "field";
      actions.search("");
    },
    close() {
      due = "back";
      actions.search(undefined);
    },
  };
  const moveFocus = () => {
    if (due === "field") field()?.focus();
    if (due === "back") {
      const search = [...root.querySelectorAll('[data-tool="search"], [data-tool="more"]')];
      // In the drawing, the search may have led to another mark.
      const mark = slots.stage.current?.contains(before)
        ? slots.stage.current.querySelector('[role="option"][tabindex="0"]')
        : undefined;
      const back = [mark, before, ...search].find((element) => element?.isConnected && element.checkVisibility());
      if (back instanceof HTMLElement || back instanceof SVGElement) back.focus();
    }
    due = undefined;
  };
  const show = (model: FrameModel) => {
    // What the page says until its panel is heard of.
    if (model.steps.length > 0 || model.empty) app.querySelector(".opening")?.remove();
    render(<Rows model={model} actions={actions} search={search} slots={slots} />, root);
    moveFocus();
  };
  show(NOTHING);
  return {
    stage: placed(slots.stage),
    strip: placed(slots.strip),
    side: placed(slots.side),
    table: placed(slots.table),
    tooltip,
    show,
    openSearch: search.open,
    focusToolbar: () => root.querySelector<HTMLElement>('.toolbar [tabindex="0"]')?.focus(),
  };
}

type Slots = Readonly<Record<"strip" | "stage" | "side" | "table", RefObject<HTMLDivElement | null>>>;

function placed({ current }: RefObject<HTMLDivElement | null>): HTMLElement {
  if (!current) throw new Error("The frame has not been drawn.");
  return current;
}

interface Props {
  readonly model: FrameModel;
  readonly actions: FrameActions;
  readonly search: SearchKeys;
  readonly slots: Slots;
}

function Rows({ model, actions, search, slots }: Props) {
  const { progress, empty, details } = model;
  const isLong = useIsLong(progress !== undefined);
  const isFirst = model.summary.length === 0;
  const curve = empty ? undefined : model.controls.find((control) => control.kind === "curve");
  const state = empty ? (
    <State empty={empty} actions={actions} />
  ) : progress && isLong && isFirst ? (
    <FirstWork progress={progress} actions={actions} />
  ) : undefined;
  return (
    <>
      <h1 class="unseen">{document.title}</h1>
      <Toolbar model={model} actions={actions} search={search} />
      <ContextRow
        steps={model.steps}
        controls={model.controls}
        chips={model.chips}
        lead={empty ? undefined : model.lead}
        summary={empty ? [] : model.summary}
        progress={isLong && !isFirst ? progress : undefined}
        actions={actions}
      />
      {progress && <ProgressBar fraction={progress.fraction} />}
      {model.notices.slice(0, 1).map((notice) => (
        <Notice key={notice.id} notice={notice} actions={actions} />
      ))}
      <div class="strip" ref={slots.strip} hidden={!model.strip} />
      <div class={state ? "body blank" : "body"}>
        <div class="stage" ref={slots.stage} />
        {state}
        {model.pane && !empty && <SelectedPane pane={model.pane} actions={actions} />}
        <div class={model.side ? "side" : "side unlisted"} hidden={!model.side && !curve}>
          {curve && <CurveBeside control={curve} set={(value) => actions.control(curve.id, value)} />}
          <div ref={slots.side} />
        </div>
      </div>
      <div class="table-slot" ref={slots.table} hidden={!model.table || state !== undefined} />
      {details && !empty && <DetailsStrip details={details} actions={actions} />}
      {/* Kept free, so that a click on a row does not move the row away from under its second click. */}
      {!details && !empty && model.keepsDetails && <div class="details">nothing selected</div>}
      {!model.isText && <Legend entries={empty ? [] : model.legend} hint={empty ? undefined : model.hint} />}
    </>
  );
}

function ProgressBar({ fraction }: { fraction: number | undefined }) {
  const isKnown = fraction !== undefined;
  return (
    <div
      class={isKnown ? "progress known" : "progress"}
      role="progressbar"
      aria-label="Progress"
      aria-valuenow={isKnown ? Math.round(fraction * 100) : undefined}
    >
      <div style={isKnown ? { width: `${Math.min(1, fraction) * 100}%` } : {}} />
    </div>
  );
}
