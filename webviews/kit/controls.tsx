/** Small parts that the frame is made of. The only file of the kit that knows `@vscode/webview-ui-toolkit`, which is archived. */
import { provideVSCodeDesignSystem, vsCodeButton, vsCodeProgressRing } from "@vscode/webview-ui-toolkit";
import { type ComponentChildren, h } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { visible } from "../shared/text";
import { icon } from "./icons";

provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeProgressRing());

/** A button with words; only in empty and problem states and with progress. */
export function WordButton({ text, primary, run }: { text: string; primary?: boolean; run: () => void }) {
  const appearance = primary ? "primary" : "secondary";
  return h("vscode-button", { class: "word-button", appearance, onClick: () => run() }, visible(text));
}

/** For work of which nobody knows how long it takes. */
export function ProgressRing() {
  return h("vscode-progress-ring", { class: "ring", "aria-label": "Progress" });
}

/** A codicon. */
export function Icon({ name }: { name: string }) {
  const host = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => host.current?.replaceChildren(icon(name)), [name]);
  return <span class="glyph" ref={host} />;
}

/** Text out of recordings: of any length, with any characters, in a direction of its own. */
export function Name({ text }: { text: string }) {
  return <bdi>{visible(text)}</bdi>;
}

export interface IconButtonProps {
  readonly name: string;
  readonly icon: string;
  readonly shortcut?: string;
  /** Pressed or not; absent: no toggle. */
  readonly on?: boolean;
  readonly dot?: boolean;
  /** Why it cannot be used: it keeps the focus and says so. */
  readonly disabled?: string;
  readonly popup?: boolean;
  readonly tool?: string;
  readonly leaves?: number;
  readonly run: (button: HTMLElement) => void;
}

/** An icon that acts; its name and its key are in the tooltip. */
export function IconButton(props: IconButtonProps) {
  const { name, shortcut, disabled, on, dot, popup, tool, leaves, run } = props;
  const withKey = shortcut === undefined ? name : `${name} (${shortcut})`;
  return (
    <button
      type="button"
      class="icon-button"
      data-item
      data-tool={tool}
      data-leaves={leaves}
      data-hint={visible(disabled === undefined ? withKey : `${withKey}: ${disabled}`)}
      aria-label={visible(name)}
      aria-description={disabled === undefined ? undefined : visible(disabled)}
      aria-disabled={disabled === undefined ? undefined : true}
      aria-pressed={on}
      aria-haspopup={popup ? "menu" : undefined}
      onClick={({ currentTarget }) => {
        if (disabled === undefined) run(currentTarget);
      }}
    >
      <Icon name={props.icon} />
      {dot && <span class="dot" />}
    </button>
  );
}

/** Words that act like a link, without an address. */
export function LinkButton({ children, hint, run }: { children: ComponentChildren; hint?: string; run: () => void }) {
  return (
    <button type="button" class="link" data-item data-hint={hint} onClick={() => run()}>
      {children}
    </button>
  );
}
