/** The popover of a threshold: what would go and what stays, a slider on a logarithmic scale, the number, and one sentence. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { ThresholdControl } from "../../../src/protocol/frame";
import { visible } from "../../shared/text";
import { FILTER_STEPS, percentAt, percentText, readPercent, stepOf } from "./percentScale";
import { Popover } from "./popover";

/** A slider sends many values while it is dragged: the last one after this pause is the one that is meant. */
const PAUSE_MS = 120;
/** Pixels: as wide as the slider, whose thumb keeps this far from its ends. */
const WIDTH = 204;
const INSET = 6;
const HEIGHT = 26;
const BINS = 24;

interface Props {
  readonly control: ThresholdControl;
  readonly button: HTMLElement;
  readonly set: (percent: number) => void;
  readonly close: () => void;
}

export function ThresholdPopover({ control, button, set, close }: Props) {
  const pause = useRef(0);
  /** Chosen, and not yet what the panel says. */
  const [draft, setDraft] = useState<number>();
  /** Being typed: nothing that comes meanwhile takes it away. */
  const [typed, setTyped] = useState<string>();
  const percent = draft ?? control.value;
  useEffect(() => setDraft(undefined), [control.value]);
  const choose = (next: number, wait: number) => {
    setDraft(next);
    window.clearTimeout(pause.current);
    pause.current = window.setTimeout(() => set(next), wait);
  };
  return (
    <Popover name={control.name} button={button} close={close}>
      <div class="popover-head">
        <span>{visible(control.name)}</span>
        <input
          class="number"
          aria-label={`${visible(control.name)}, in percent`}
          value={typed ?? percentText(percent)}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onChange={({ currentTarget }) => {
            const read = readPercent(currentTarget.value);
            setTyped(undefined);
            if (read === undefined) currentTarget.value = percentText(percent);
            else choose(read, 0);
          }}
        />
      </div>
      <Histogram shares={control.shares ?? []} percent={percent} />
      <input
        type="range"
        data-first
        aria-label={visible(control.name)}
        aria-valuetext={percentText(percent)}
        min={0}
        max={FILTER_STEPS}
        step={1}
        value={stepOf(percent)}
        onInput={({ currentTarget }) => choose(percentAt(currentTarget.valueAsNumber), PAUSE_MS)}
      />
      <div class="scale" aria-hidden="true">
        {["0", "0.1", "1", "10", "100\u00a0%"].map((text) => (
          <span key={text} ref={(mark) => placeMark(mark, text)}>
            {text}
          </span>
        ))}
      </div>
      <div class="says" role="status">
        {visible(control.says ?? "")}
      </div>
    </Popover>
  );
}

function placeMark(mark: HTMLElement | null, text: string): void {
  if (mark) mark.style.left = `${xOf(stepOf(parseFloat(text)))}px`;
}

function xOf(step: number): number {
  return INSET + (step / FILTER_STEPS) * (WIDTH - 2 * INSET);
}

/** How many things have which share, over the slider's own scale. */
function Histogram({ shares, percent }: { shares: readonly number[]; percent: number }) {
  const bins = Array.from({ length: BINS }, () => ({ stays: 0, goes: 0 }));
  for (const share of shares) {
    const bin = bins[Math.min(BINS - 1, Math.floor((stepOf(share) / FILTER_STEPS) * BINS))];
    if (share >= percent) bin.stays++;
    else bin.goes++;
  }
  const most = bins.reduce((largest, { stays, goes }) => Math.max(largest, stays + goes), 1);
  const pitch = (WIDTH - 2 * INSET) / BINS;
  return (
    <svg class="histogram" width={WIDTH} height={HEIGHT} aria-hidden="true">
      {bins.map(({ stays, goes }, at) => {
        const stay = (stays / most) * (HEIGHT - 1);
        const go = (goes / most) * (HEIGHT - 1);
        const x = INSET + at * pitch;
        return (
          <>
            {stays > 0 && <rect class="stays" x={x} y={HEIGHT - stay} width={pitch - 1} height={stay} />}
            {goes > 0 && <rect class="goes" x={x} y={HEIGHT - stay - go} width={pitch - 1} height={go} />}
          </>
        );
      })}
    </svg>
  );
}
