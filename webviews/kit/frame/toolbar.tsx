/** The toolbar: selects at the left that read as one sentence, tools at the right, `…` last with what did not fit. */
import { Fragment } from "preact";
import { useState } from "preact/hooks";
import type { Control, ToolControl } from "../../../src/protocol/frame";
import { visible } from "../../shared/text";
import { Icon, IconButton, type IconButtonProps } from "../controls";
import { type MenuItem, openMenu } from "../overlay/menu";
import { BELOW } from "../overlay/place";
import { CurvePopover } from "./curve";
import { offer } from "./offer";
import type { FrameActions, FrameModel, SearchState } from "./model";
import { percentText } from "./percentScale";
import { allOf, isFull, leave, useRow } from "./row";
import { ThresholdPopover } from "./threshold";
import { largestIn } from "../../../src/model/longLists";

type Tool = IconButtonProps & {
  readonly tool: string;
  readonly leaves: number;
  readonly group?: string;
  readonly tucked?: boolean;
};

/** What the frame itself does in the search field. */
export interface SearchKeys {
  open(): void;
  close(): void;
}

interface Props {
  readonly model: FrameModel;
  readonly actions: FrameActions;
  readonly search: SearchKeys;
}

export function Toolbar({ model, actions, search }: Props) {
  const { controls } = model;
  const row = useRow(fitToolbar, [controls, model.search, model.table]);
  /** The control whose menu or popover is open, and where. */
  const [opened, setOpened] = useState<{ id: string; button: HTMLElement }>();
  const all = toolsOf(model, actions, search);
  const tools = all.filter(({ tucked }) => !tucked);
  const popover = controls.find(
    (control) => (control.kind === "threshold" || control.kind === "curve") && control.id === opened?.id,
  );
  const closePopover = () => {
    opened?.button.focus();
    setOpened(undefined);
  };
  const openControl = (control: RowControl, button: HTMLElement) => {
    if (control === popover) return closePopover();
    setOpened({ id: control.id, button });
    if (control.kind === "select") offer(control, actions, button, () => setOpened(undefined));
  };
  const offerRest = (button: HTMLElement) => {
    const hidden = new Set<string | undefined>();
    for (const part of row.current?.querySelectorAll<HTMLElement>("[data-tool][hidden], [data-select][hidden]") ?? [])
      hidden.add(part.dataset.tool ?? part.dataset.select);
    const { left, bottom } = button.getBoundingClientRect();
    const selects = controls.flatMap((control): MenuItem[] => {
      if (control.kind === "tool" || !hidden.has(control.id)) return [];
      return [
        { label: `${control.name}: ${textOf(control)}`, group: "selects", run: () => openControl(control, button) },
      ];
    });
    const items = all.flatMap((tool): MenuItem[] => {
      if (!tool.tucked && !hidden.has(tool.tool)) return [];
      const { name: label, icon, shortcut: key, disabled, popup } = tool;
      const on = popup === true ? undefined : tool.on;
      return [{ label, icon, key, disabled, on, group: "tools", run: () => tool.run(button) }];
    });
    const explain = {
      label: "What is drawn here",
      icon: "question",
      key: "?",
      group: "help",
      run: () => actions.explain(),
    };
    openMenu(
      "More",
      [...selects, ...items, ...(model.isText ? [] : [explain])],
      { x: left, y: bottom + BELOW },
      button,
    );
  };
  return (
    <>
      <div class="toolbar" role="toolbar" aria-label="Panel" ref={row}>
        {controls.map((control) =>
          control.kind === "tool" ? undefined : (
            <Select
              key={control.id}
              control={control}
              isOpen={opened?.id === control.id}
              open={(button) => openControl(control, button)}
            />
          ),
        )}
        <span class="gap" />
        {tools.map((tool, at) => (
          <Fragment key={tool.tool}>
            {at > 0 && tools[at - 1].group !== tool.group && <span class="line" />}
            {tool.tool === "search" && model.search ? (
              <SearchField state={model.search} actions={actions} close={search.close} />
            ) : (
              <IconButton {...tool} />
            )}
          </Fragment>
        ))}
        <IconButton name="More" icon="ellipsis" popup tool="more" run={offerRest} />
      </div>
      {opened && popover?.kind === "threshold" && (
        <ThresholdPopover
          key={popover.id}
          control={popover}
          button={opened.button}
          set={(percent) => actions.control(popover.id, String(percent))}
          close={closePopover}
        />
      )}
      {opened && popover?.kind === "curve" && (
        <CurvePopover
          key={popover.id}
          control={popover}
          button={opened.button}
          set={(value) => actions.control(popover.id, value)}
          close={closePopover}
        />
      )}
    </>
  );
}

/** The panel's own tools, then those that every panel has. */
function toolsOf(model: FrameModel, actions: FrameActions, search: SearchKeys): Tool[] {
  const tools = model.controls.flatMap((control): Tool[] => {
    if (control.kind !== "tool") return [];
    const { id, menu, key } = control;
    const run = (button: HTMLElement) => (menu ? offerMenu(control, actions, button) : actions.control(id, ""));
    return [{ ...control, tool: id, shortcut: key, popup: menu !== undefined, run }];
  });
  // There is nothing to search, to fit, or to save.
  if (model.isText || model.empty) return tools;
  tools.push({ tool: "search", name: "Search", icon: "search", shortcut: "Ctrl+F", leaves: 1, run: search.open });
  const fit = () => actions.fit?.();
  if (actions.fit) tools.push({ tool: "fit", name: "Fit", icon: "screen-full", shortcut: "0", leaves: 5, run: fit });
  const toggle = () => actions.toggleTable();
  if (model.table !== undefined)
    tools.push({ tool: "table", name: "Table", icon: "table", on: model.table, leaves: 2, run: toggle });
  const save = (button: HTMLElement) => {
    const { left, bottom } = button.getBoundingClientRect();
    const items = (["svg", "png", "csv"] as const).map((format) => ({
      label: `Save as ${format.toUpperCase()}…`,
      run: () => actions.save(format),
    }));
    openMenu("Save", items, { x: left, y: bottom + BELOW }, button);
  };
  tools.push({ tool: "save", name: "Save SVG, PNG, CSV…", icon: "save", leaves: SAVE_LEAVES, popup: true, run: save });
  return tools;
}

/** Before words get short; the largest that a panel's own tool may have is below. */
const SAVE_LEAVES = 21;

/** A control among the words at the left. */
type RowControl = Exclude<Control, ToolControl>;

function textOf(control: RowControl): string {
  if (control.kind === "threshold") return `≥ ${percentText(control.value)}`;
  const chosen = control.choices.find(({ value }) => value === control.value);
  return chosen?.text ?? chosen?.label ?? control.value;
}

/** What a tool with a menu offers. */
function offerMenu({ id, name, menu = [] }: ToolControl, actions: FrameActions, button: HTMLElement): void {
  const { left, top, bottom } = button.getBoundingClientRect();
  const items = menu.map(({ value, ...item }) => ({ ...item, run: () => actions.control(id, value) }));
  openMenu(name, items, { x: left, y: bottom + BELOW, above: top - BELOW }, button);
}

interface SelectProps {
  readonly control: RowControl;
  readonly isOpen: boolean;
  readonly open: (button: HTMLElement) => void;
}

/** A value that opens its choices, or its popover. */
function Select({ control, isOpen, open }: SelectProps) {
  const isThreshold = control.kind === "threshold";
  const text = textOf(control);
  const chosen = isThreshold ? undefined : control.choices.find(({ value }) => value === control.value);
  const isChanged = !isThreshold && control.standard !== undefined && control.standard !== control.value;
  const icon = isThreshold ? "filter" : control.icon;
  const full = visible(`${control.name}: ${text}`);
  const short = visible(chosen?.short ?? "");
  // Who speaks to the panel says what stands there.
  const called = short === "" || ` ${full} `.includes(` ${short} `) ? full : `${full}, ${short}`;
  return (
    <button
      type="button"
      class={["select", isChanged && "changed", control.kind === "curve" && "beside"].filter(Boolean).join(" ")}
      data-item
      data-select={control.id}
      data-hint={full}
      aria-label={called}
      aria-haspopup={control.kind === "select" ? "menu" : "dialog"}
      aria-expanded={isOpen}
      onClick={({ currentTarget }) => open(currentTarget)}
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
        event.preventDefault();
        open(event.currentTarget);
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      <span class="long" data-text={visible(text)}>
        {visible(text)}
      </span>
      {short !== "" && (
        <span class="short" data-text={short}>
          {short}
        </span>
      )}
      <Icon name="chevron-down" />
    </button>
  );
}

interface SearchFieldProps {
  readonly state: SearchState;
  readonly actions: FrameActions;
  readonly close: () => void;
}

function SearchField({ state, actions, close }: SearchFieldProps) {
  return (
    <span
      class="search"
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
        else if (event.key === "Enter" && event.target instanceof HTMLInputElement) actions.nextFound(event.shiftKey);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <input
        data-item
        aria-label="Search"
        spellcheck={false}
        value={state.text}
        onInput={({ currentTarget }) => actions.search(currentTarget.value)}
      />
      <small role="status">{state.count}</small>
      <IconButton name="Previous" icon="chevron-up" shortcut="Shift+Enter" run={() => actions.nextFound(true)} />
      <IconButton name="Next" icon="chevron-down" shortcut="Enter" run={() => actions.nextFound(false)} />
      <IconButton name="Close search" icon="close" shortcut="Esc" run={close} />
    </span>
  );
}

/**
 * Save leaves first; then words get short, right to left, and names are cut in the middle; then icons leave; where names that are
 * hardly names do not help either, whole selects.
 */
function fitToolbar(row: HTMLElement): void {
  const selects = allOf(row, ".select").reverse();
  const tools = allOf(row, "[data-leaves]").sort((a, b) => Number(b.dataset.leaves) - Number(a.dataset.leaves));
  const lines = allOf(row, ".line");
  const words = [...row.querySelectorAll<HTMLElement>(".select > [data-text]")];
  for (const select of selects) select.classList.remove("shortened");
  cutNames(words, Infinity);
  const tidy = () => {
    for (const line of lines) line.hidden = !hasToolBeside(line, "before") || !hasToolBeside(line, "after");
  };
  const isFirst = (tool: HTMLElement) => Number(tool.dataset.leaves) === SAVE_LEAVES;
  leave(row, tools.filter(isFirst));
  for (const select of selects) {
    if (!isFull(row)) break;
    select.classList.toggle("shortened", select.querySelector(".short") !== null);
  }
  fitNames(row, words, LEAST_NAME);
  leave(
    row,
    tools.filter((tool) => !isFirst(tool)),
    tidy,
  );
  fitNames(row, words, LEAST_OF_ALL);
  leave(row, selects);
  fillRoom(row, words);
}

/** Characters that names are cut down to before icons leave, and before selects do. */
const LEAST_NAME = 12;
const LEAST_OF_ALL = 6;
/** More characters are wider than any select. */
const LONGEST_NAME = 60;

/** Cuts names as little as the row needs, none below `least` characters. */
function fitNames(row: HTMLElement, words: readonly HTMLElement[], least: number): void {
  const shown = words.filter((word) => word.checkVisibility());
  let most = Math.min(LONGEST_NAME, Math.max(0, largestIn(shown.map(({ textContent }) => textContent.length))));
  while (isFull(row) && most > least) cutNames(words, --most);
}

/** Gives room that tools and selects have left back to cut names, letter by letter. */
function fillRoom(row: HTMLElement, words: readonly HTMLElement[]): void {
  const isCut = (word: HTMLElement) => word.textContent !== word.dataset.text;
  const cut = words.filter((word) => word.checkVisibility() && isCut(word));
  for (let hasGrown = cut.length > 0; hasGrown;) {
    hasGrown = false;
    for (const word of cut.filter(isCut)) {
      const { length } = word.textContent;
      cutNames([word], length + 1);
      if (isFull(row)) cutNames([word], length);
      else hasGrown = true;
    }
  }
}

/** Cuts in the middle, since names differ at both ends, what is longer than this many characters. */
function cutNames(words: readonly HTMLElement[], most: number): void {
  for (const { dataset, firstChild } of words) {
    const { text = "" } = dataset;
    const front = Math.ceil((most - 1) / 2);
    // The text's node stays, it is written to by others as well.
    if (firstChild instanceof Text)
      firstChild.data = text.length <= most ? text : `${text.slice(0, front)}…${text.slice(front + 1 - most)}`;
  }
}

/** Whether there is a tool between a line and the next one, or the gap. */
function hasToolBeside(line: HTMLElement, side: "before" | "after"): boolean {
  const next = (element: Element) => (side === "before" ? element.previousElementSibling : element.nextElementSibling);
  for (let at = next(line); at && !at.matches(".line, .gap, [data-tool=more]"); at = next(at))
    if (!(at instanceof HTMLElement && at.hidden)) return true;
  return false;
}
