/** The other rows around a drawing: context, notice, details, legend; and what stands where the drawing would be. */
import { percentDone } from "./percentDone";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Chip, Control, NoticeRow, Step } from "../../../src/protocol/frame";
import { visible } from "../../shared/text";
import { Icon, IconButton, LinkButton, Name, ProgressRing, WordButton } from "../controls";
import { openMenu } from "../overlay/menu";
import { BELOW } from "../overlay/place";
import { offer } from "./offer";
import type { Details, EmptyState, FrameActions, FrameModel, Lead, LegendEntry, ProgressState } from "./model";
import { allOf, isFull, leave, useRow } from "./row";

/** Work that is done within this time says nothing but the bar. */
const PATIENCE_MS = 1000;

/** Whether work goes on for so long that words are due. */
export function useIsLong(isWorking: boolean): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (!isWorking) return;
    const timer = window.setTimeout(() => setLong(true), PATIENCE_MS);
    return () => window.clearTimeout(timer);
  }, [isWorking]);
  return isWorking && isLong;
}

interface ContextProps {
  readonly steps: readonly Step[];
  /** Those that steps open. */
  readonly controls: readonly Control[];
  readonly chips: readonly Chip[];
  readonly lead: Lead | undefined;
  readonly summary: readonly string[];
  /** Work of which words are due: it stands in the summary's place, the old drawing stays. */
  readonly progress: ProgressState | undefined;
  readonly actions: FrameActions;
}

export function ContextRow({ steps, controls, chips, lead, summary, progress, actions }: ContextProps) {
  const row = useRow(fitContext, [steps, chips, lead, summary, progress]);
  const current = steps.map((step) => !step.undone).lastIndexOf(true);
  const wordings = progress ? [progressText(progress), percentDone(progress)] : summary;
  const below = (button: HTMLElement) => {
    const { left, bottom } = button.getBoundingClientRect();
    return { x: left, y: bottom + BELOW };
  };
  const isLeftOut = (id: string) => row.current?.querySelector(`[data-part="${CSS.escape(id)}"]`)?.matches("[hidden]");
  /** The select control that a step opens; undefined if it leads back to itself. */
  const openedBy = ({ opens }: Step) => controls.find((control) => control.kind === "select" && control.id === opens);
  const follow = (step: Step, button: HTMLElement) => {
    const control = openedBy(step);
    if (control?.kind === "select") offer(control, actions, button);
    else actions.step(step.id);
  };
  const offerSteps = (button: HTMLElement) => {
    const left = steps.filter(({ id }) => isLeftOut(`step ${id}`));
    const items = left.map((step) => ({
      label: step.text,
      title: titleOf(step),
      key: step.undone ? "undone" : undefined,
      icon: step.problem === undefined ? undefined : "warning",
      run: () => follow(step, button),
    }));
    openMenu("Other steps", items, below(button), button);
  };
  const offerStep = ({ id, text }: Step, button: HTMLElement) => {
    const items = [
      { label: "Go back to this step", key: "Enter", run: () => actions.step(id) },
      { label: "Remove this step", icon: "close", key: "Delete", run: () => actions.removeStep(id) },
    ];
    openMenu(text, items, below(button), button);
  };
  const offerChips = (button: HTMLElement) => {
    const left = chips.filter(({ id }) => isLeftOut(`chip ${id}`));
    const items = left.map(({ id, text }) => ({
      label: `Remove ${text}`,
      icon: "close",
      run: () => actions.removeChip(id),
    }));
    openMenu("Other restrictions", items, below(button), button);
  };
  return (
    <div class={progress ? "context working" : "context"} role="toolbar" aria-label="Steps and restrictions" ref={row}>
      <button
        type="button"
        class="step rest"
        data-item
        aria-label="Other steps"
        aria-haspopup="menu"
        onClick={({ currentTarget }) => offerSteps(currentTarget)}
      >
        …
      </button>
      {steps.map((step, at) => (
        <span key={step.id} class={at === current ? "part current" : "part"} data-part={`step ${step.id}`}>
          {at > 0 && <Icon name="chevron-right" />}
          <button
            type="button"
            class={step.undone ? "step undone" : "step"}
            data-item
            data-step={step.id}
            data-hint={visible(titleOf(step))}
            aria-current={at === current ? "step" : undefined}
            aria-label={saidOf(step)}
            aria-keyshortcuts={step.removable ? "Delete" : undefined}
            aria-haspopup={openedBy(step) ? "menu" : undefined}
            onClick={({ currentTarget }) => follow(step, currentTarget)}
            onContextMenu={(event) => {
              event.preventDefault();
              if (step.removable) offerStep(step, event.currentTarget);
            }}
            onKeyDown={(event) => {
              if (!step.removable || (event.key !== "Delete" && event.key !== "Backspace")) return;
              event.preventDefault();
              actions.removeStep(step.id);
            }}
          >
            {step.problem !== undefined && <Icon name="warning" />}
            <Name text={step.text} />
          </button>
        </span>
      ))}
      {chips.map(({ id, text, said = text }) => (
        <span key={id} class="chip" data-part={`chip ${id}`} data-hint={visible(said)}>
          <Name text={text} />
          <button
            type="button"
            data-item
            data-hint={visible(`Remove ${text}`)}
            aria-label={visible(`Remove ${text}`)}
            onClick={() => actions.removeChip(id)}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      <button
        type="button"
        class="badge"
        data-item
        aria-haspopup="menu"
        onClick={({ currentTarget }) => offerChips(currentTarget)}
      />
      {lead && !progress && (
        <span class="lead">
          <LinkButton hint={visible(lead.hint)} run={() => actions.lead()}>
            {lead.before !== undefined && <span class="before">{visible(lead.before)} </span>}
            {lead.wordings.map((wording, at) => (
              <span key={at} class="wording">
                {visible(wording)}
              </span>
            ))}
          </LinkButton>
        </span>
      )}
      <span class="summary" data-hint={visible(wordings[0] ?? "")} role={progress ? "status" : undefined}>
        {wordings.map((wording, at) => (
          <span key={at} class="wording">
            {visible(wording)}
          </span>
        ))}
        {progress && <LinkButton run={() => actions.cancel()}>Cancel</LinkButton>}
      </span>
    </div>
  );
}

/** In the tooltip: the whole step, and what is to be known of it. */
function titleOf({ text, title = text, problem }: Step): string {
  return problem === undefined ? title : `${title} (cannot be done: ${problem})`;
}

/** What a screen reader says where that is not the text alone. */
function saidOf({ text, undone, problem }: Step): string | undefined {
  if (undone) return `${visible(text)} (undone)`;
  return problem === undefined ? undefined : visible(`${text} (cannot be done: ${problem})`);
}

/**
 * The summary says less; the words before what is named leave for all but its shortest wording. The summary leaves if something is named, and so
 * do the words before that, before a step leaves; steps
 * leave from the left, undone ones from the right; the current one stays. What work goes on is said before steps and chips are.
 */
function fitContext(row: HTMLElement): void {
  const leads = allOf(row, ".lead .wording");
  const words = allOf(row, ".lead .before");
  const wordings = allOf(row, ".summary .wording");
  const parts = allOf(row, ".part");
  const chips = allOf(row, ".chip");
  const [rest, badge] = [".rest", ".badge"].map((selector) => row.querySelector<HTMLElement>(selector));
  const at = parts.findIndex((part) => part.matches(".current"));
  row.classList.remove("tight");
  for (const part of [rest, badge, ...leads.slice(1), ...wordings]) if (part) part.hidden = true;
  for (const word of words) word.hidden = false;
  const sayLess = (all = wordings) =>
    all.find((wording, at) => {
      wording.hidden = false;
      wording.hidden = isFull(row) && at < all.length - 1;
      return !wording.hidden;
    });
  const stepsLeave = () =>
    leave(row, at < 0 ? parts : [...parts.slice(0, at), ...parts.slice(at + 1).reverse()], () => {
      if (rest) rest.hidden = false;
    });
  const chipsLeave = () => {
    const left = leave(row, chips.reverse(), () => {
      if (badge) badge.hidden = false;
    });
    if (badge) badge.textContent = `+${left.length}`;
    badge?.setAttribute("aria-label", `+${left.length} restrictions`);
  };
  /** The lead gives up a number if the whole summary has room then. */
  const shortenLead = () => {
    const summary = wordings.map(({ hidden }) => hidden);
    for (const [at, wording] of wordings.entries()) wording.hidden = at > 0;
    [leads[0].hidden, leads[1].hidden] = [true, false];
    if (!isFull(row)) return;
    [leads[0].hidden, leads[1].hidden] = [false, true];
    for (const [at, wording] of wordings.entries()) wording.hidden = summary[at];
  };
  if (row.matches(".working")) {
    if (wordings.length > 0) wordings[0].hidden = false;
    stepsLeave();
    chipsLeave();
    sayLess();
  } else {
    sayLess();
    if (words.length > 0 && wordings.length > 1 && wordings.slice(0, -1).every(({ hidden }) => hidden)) {
      for (const part of [...words, ...wordings]) part.hidden = true;
      sayLess();
    }
    if (leads.length > 1 && wordings.length > 1 && wordings[0].hidden) shortenLead();
    if (leads.length > 0) leave(row, [...wordings.slice(-1), ...words]);
    stepsLeave();
    leave(row, wordings.slice(-1));
    if (isFull(row)) {
      for (const wording of leads) wording.hidden = true;
      sayLess(leads);
    }
    leave(row, leads.slice(-1));
    chipsLeave();
  }
  row.classList.toggle("tight", isFull(row));
}

export function Notice({ notice, actions }: { notice: NoticeRow; actions: FrameActions }) {
  const { id, severity, text, link } = notice;
  return (
    <div class={`notice ${severity}`} role={severity === "error" ? "alert" : "status"}>
      <Icon name={severity} />
      <span class="cut" data-hint={visible(text)}>
        {visible(text)}
      </span>
      {link && <LinkButton run={() => actions.noticeLink(link.id)}>{visible(link.text)}</LinkButton>}
      <span class="gap" />
      <IconButton name="Dismiss" icon="close" run={() => actions.closeNotice(id)} />
    </div>
  );
}

export function DetailsStrip({ details, actions }: { details: Details; actions: FrameActions }) {
  const row = useRow(fitDetails, [details]);
  const { name, place } = details;
  return (
    <div class="details" role="toolbar" aria-label="Selected" ref={row}>
      <b class="cut" data-hint={visible(name)}>
        <Name text={name} />
      </b>
      {place !== undefined && (
        <LinkButton hint={visible(`Go to ${place}`)} run={() => actions.openPlace()}>
          <Name text={place} />
        </LinkButton>
      )}
      {details.numbers.map(([label, text, share]) => (
        <span key={label} class="fact">
          <i>{visible(label)}</i>
          {visible(text)}
          {share !== undefined && <span class="share">· {visible(share)}</span>}
        </span>
      ))}
      <span class="actions">
        {details.actions.map(({ id, name: verb, icon, key }) => (
          <IconButton key={id} name={verb} icon={icon} shortcut={key} run={() => actions.detail(id)} />
        ))}
      </span>
    </div>
  );
}

/** What is selected, or the whole, in the room below the drawing. */
export function SelectedPane({ pane, actions }: { pane: NonNullable<FrameModel["pane"]>; actions: FrameActions }) {
  const { name, place, facts, lists, top } = pane;
  return (
    <section class="pane" aria-label={visible(name)} style={{ top: `${top}px` }}>
      {facts.length > 0 && (
        <div>
          <h2>
            <Name text={name} />
          </h2>
          {place !== undefined && (
            <LinkButton hint={visible(`Go to ${place}`)} run={() => actions.openPlace()}>
              <Name text={place} />
            </LinkButton>
          )}
          <dl>
            {facts.map(([label, text, share]) => [
              <dt key={label}>{visible(label)}</dt>,
              <dd key={`${label} is`}>
                {visible(text)}
                {share !== undefined && <span> · {visible(share)}</span>}
              </dd>,
            ])}
          </dl>
        </div>
      )}
      {lists.map(({ title, rows }) => (
        <div key={title}>
          <h2>{title}</h2>
          <ul>
            {rows.map(({ mark, name: one, values, hint }, at) => (
              <li key={mark ?? `row ${at}`}>
                {mark === undefined ? (
                  <span>
                    <Name text={one} />
                  </span>
                ) : (
                  <LinkButton hint={hint} run={() => actions.goTo(mark)}>
                    <Name text={one} />
                  </LinkButton>
                )}
                {values.map((value, at) => (
                  <span key={at}>{value}</span>
                ))}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

/** Numbers leave from the right, of the first one its share before itself; then the name is cut. */
function fitDetails(row: HTMLElement): void {
  row.classList.remove("tight");
  const [first, ...rest] = allOf(row, ".fact");
  const shares = allOf(row, ".fact > .share");
  leave(row, [...rest.reverse(), ...shares.slice(0, 1), ...(first ? [first] : [])]);
  row.classList.toggle("tight", isFull(row));
}

export function Legend({ entries, hint }: { entries: readonly LegendEntry[]; hint: string | undefined }) {
  const row = useRow(fitLegend, [entries, hint]);
  return (
    <div class="legend" role="group" aria-label="Legend" tabIndex={0} ref={row}>
      {entries.map(({ parts }, at) => (
        <span key={at} class="entry">
          {parts.map((part, at) =>
            typeof part === "string" ? (
              <span key={at}>{visible(part)}</span>
            ) : part instanceof SVGElement ? (
              <Picture key={at} picture={part} />
            ) : (
              <b key={at} data-short={part.short === undefined ? undefined : visible(part.short)}>
                <span class="whole">{visible(part.strong)}</span>
              </b>
            ),
          )}
        </span>
      ))}
      {hint !== undefined && <span class="gestures">{hint}</span>}
    </div>
  );
}

function Picture({ picture }: { picture: SVGElement }) {
  const host = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => host.current?.replaceChildren(picture), [picture]);
  return <span class="glyph" ref={host} />;
}

/**
 * The hint leaves first, then what is there moves closer, then words get short, then entries leave from the right; the tooltip has their words. The first, of what colours mean, stays and has its
 * words cut; the numbers of a scale never are.
 */
function fitLegend(row: HTMLElement): void {
  row.classList.remove("tight", "close", "brief");
  const [entries, hints] = [".entry", ".gestures"].map((selector) => allOf(row, selector));
  leave(row, hints);
  row.classList.toggle("close", isFull(row));
  row.classList.toggle("brief", isFull(row));
  const left = leave(row, entries.slice(1).reverse());
  row.classList.toggle("tight", isFull(row));
  const words = left.reverse().map((entry) =>
    [...entry.children]
      .map((part) => part.textContent)
      .join(" ")
      .trim(),
  );
  row.dataset.hint = words.filter((text) => text !== "").join(" · ");
}

/** What stands where the drawing would be. */
export function State({ empty, actions }: { empty: EmptyState; actions: FrameActions }) {
  return (
    <div class="state" role={empty.alert ? "alert" : "status"}>
      <Icon name={empty.icon} />
      <p class="state-title">{visible(empty.title)}</p>
      {empty.text !== undefined && <p>{visible(empty.text)}</p>}
      <div class="state-buttons">
        {empty.buttons.slice(0, 2).map(({ id, text, primary }) => (
          <WordButton key={id} text={text} primary={primary} run={() => actions.button(id)} />
        ))}
      </div>
    </div>
  );
}

/** Work before there is anything to draw. */
export function FirstWork({ progress, actions }: { progress: ProgressState; actions: FrameActions }) {
  return (
    <div class="state" role="status">
      <ProgressRing />
      <p class="state-title">{progressText(progress)}</p>
      <p>{percentDone(progress)}</p>
      <div class="state-buttons">
        <WordButton text="Cancel" run={() => actions.cancel()} />
      </div>
    </div>
  );
}

function progressText({ text }: ProgressState): string {
  return visible(text ?? "computing…");
}
