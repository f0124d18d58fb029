/** Steps on a slider below curves of what each of them brings and costs: beside the drawing of wide panels, else in a popover. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { CurveControl } from "../../../src/protocol/frame";
import { visible } from "../../shared/text";
import { Icon } from "../controls";
import { labelsOf } from "./curveLabels";
import { offer } from "./offer";
import { Popover } from "./popover";

/** Pixels: the picture, and what is left of the curves for the percentages, above, below and right of them. */
const WIDTH = 244;
const HEIGHT = 124;
const LEFT = 38;
const RIGHT = 7;
const TOP = 8;
const BOTTOM = 28;
const ACROSS = WIDTH - LEFT - RIGHT;
const DOWN = HEIGHT - TOP - BOTTOM;
/** Ticks nearer to each other would be a band. */
const LEAST_PITCH = 3;
const PLOT = { x: LEFT, y: TOP, width: ACROSS, height: DOWN };

interface Props {
  readonly control: CurveControl;
  readonly set: (value: string) => void;
}

export function CurvePopover({ button, close, ...props }: Props & { button: HTMLElement; close: () => void }) {
  const { control } = props;
  return (
    <Popover name={control.name} button={button} close={close}>
      <div class="popover-head">
        <span>{visible(control.name)}</span>
        <Steps {...props} />
      </div>
      <Curve {...props} />
      <div class="says" role="status">
        {visible(control.choices.find(({ value }) => value === control.value)?.title ?? "")}
      </div>
    </Popover>
  );
}

/** On top of the side column. */
export function CurveBeside(props: Props) {
  return (
    <section class="curve-beside" aria-label={visible(props.control.name)}>
      <h2>
        {visible(props.control.name)}
        <span class="gap" />
        <Steps {...props} />
      </h2>
      <Curve {...props} />
    </section>
  );
}

/** The step that is chosen leads to all of them as a list. */
function Steps({ control, set }: Props) {
  const label = visible(control.choices.find(({ value }) => value === control.value)?.label ?? "");
  return (
    <button
      type="button"
      class="select"
      aria-label={`${visible(control.name)}: ${label}`}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => offer(control, { control: (_, value) => set(value) }, currentTarget)}
    >
      {label}
      <Icon name="chevron-down" />
    </button>
  );
}

function Curve({ control, set }: Props) {
  const { choices, lines, ends } = control;
  const pending = useRef(0);
  /** Chosen, and not yet what the panel says. */
  const [draft, setDraft] = useState<number>();
  const known = choices.findIndex(({ value }) => value === control.value);
  useEffect(() => {
    if (draft === known) setDraft(undefined);
  }, [known]);
  useEffect(() => setDraft(undefined), [choices.length]);
  const last = Math.max(1, choices.length - 1);
  const at = Math.max(0, Math.min(last, draft ?? known));
  const x = (step: number) => LEFT + (step / last) * ACROSS;
  const y = (share: number) => TOP + (1 - share) * DOWN;
  const choose = (step: number) => {
    setDraft(step);
    // As often as something is drawn: what is passed meanwhile is not asked for.
    window.cancelAnimationFrame(pending.current);
    pending.current = window.requestAnimationFrame(() => set(choices[step].value));
  };
  const floor = TOP + DOWN;
  const every = Math.ceil(LEAST_PITCH / (ACROSS / last));
  const ticks = choices.flatMap((_, step) => (step % every === 0 || step === last ? [step] : []));
  const labels = useMemo(() => labelsOf(lines, PLOT), [lines]);
  const { label = "", title = "" } = choices.at(at) ?? {};
  return (
    <div class="curve">
      <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
        {[0, 0.5, 1].map((share) => (
          <>
            <path class="grid" d={`M${LEFT},${y(share)}h${ACROSS}`} />
            <text x={LEFT - 5} y={y(share) + 4} text-anchor="end">
              {share === 1 ? "100\u00a0%" : 100 * share}
            </text>
          </>
        ))}
        <path class="ticks" d={ticks.map((step) => `M${x(step)},${floor}v4`).join("")} />
        {lines.map(({ values }, line) => (
          <polyline
            class={line === 0 ? "line" : "line dashed"}
            points={values.map((share, step) => `${x(step)},${y(share)}`).join(" ")}
          />
        ))}
        {labels.map(
          (at, line) =>
            at && (
              <text class="name" x={at[0]} y={at[1]} text-anchor="middle">
                {visible(lines[line].name)}
              </text>
            ),
        )}
        <path class="hand" d={`M${x(at)},${TOP - 4}V${floor + 3}`} />
        {lines.map(({ values }) => (
          <circle class="point" cx={x(at)} cy={y(values.at(at) ?? 0)} r={3} />
        ))}
        <rect class="grip" x={x(at) - 4} y={floor - 5} width={8} height={13} rx={2} />
        <text x={LEFT} y={HEIGHT - 5}>
          {visible(ends[0])}
        </text>
        <text x={WIDTH - RIGHT} y={HEIGHT - 5} text-anchor="end">
          {visible(ends[1])}
        </text>
      </svg>
      <input
        type="range"
        data-first
        aria-label={visible(control.name)}
        aria-valuetext={visible(`${label}, ${title}`)}
        min={0}
        max={last}
        step={1}
        value={at}
        // The thumb's middle is where the hand is.
        style={{ left: `${LEFT - THUMB / 2}px`, width: `${ACROSS + THUMB}px`, height: `${HEIGHT - 16}px` }}
        onInput={({ currentTarget }) => choose(currentTarget.valueAsNumber)}
      />
    </div>
  );
}

const THUMB = 12;
