/** What a control of the toolbar shows below its button until somebody looks elsewhere. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { visible } from "../../shared/text";
import { BELOW, placeBeside } from "../overlay/place";

interface Props {
  readonly name: string;
  readonly button: HTMLElement;
  readonly close: () => void;
  /** What has `data-first` gets the focus. */
  readonly children: ComponentChildren;
}

export function Popover({ name, button, close, children }: Props) {
  const element = useRef<HTMLDivElement>(null);
  /** What the button does with the popover is its own business; a menu that it opens is a part of it. */
  const isHere = (target: EventTarget | null) =>
    target instanceof Element &&
    (element.current?.contains(target) || button.contains(target) || target.closest(".menu") !== null);
  useLayoutEffect(() => {
    // An editor that opens beside the panel makes it narrower: the popover stays at its button, and goes with it.
    const place = () => {
      if (!button.checkVisibility()) close();
      else if (element.current) placeBeside(element.current, button.getBoundingClientRect(), "below", BELOW);
    };
    place();
    element.current?.querySelector<HTMLElement>("[data-first]")?.focus();
    const outside = ({ target }: Event) => {
      if (!isHere(target)) close();
    };
    window.addEventListener("pointerdown", outside, true);
    window.addEventListener("resize", place);
    return () => {
      window.removeEventListener("pointerdown", outside, true);
      window.removeEventListener("resize", place);
    };
  }, []);
  return (
    <div
      class="popover"
      role="dialog"
      aria-label={visible(name)}
      ref={element}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget && !isHere(relatedTarget)) close();
      }}
    >
      {children}
    </div>
  );
}
