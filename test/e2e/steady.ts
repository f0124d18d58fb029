import type { Frame } from "playwright-core";

/** Drawings of panels with their marks. */
const DRAWINGS = ".drawing, .drawing [role=option]";

/**
 * Waits until a page stands where it stays: neither its size nor its marks change during ten frames of the screen. An editor that
 * opens beside a panel makes it narrower, and a bar moves away from below the pointer.
 */
export async function isSteady(frame: Frame, marks = DRAWINGS): Promise<void> {
  await frame.evaluate(
    (all) =>
      new Promise<void>((resolve) => {
        const state = () => {
          const boxes = [...document.querySelectorAll(all)].slice(0, 500).map((mark) => {
            const { x, y, width, height } = mark.getBoundingClientRect();
            return [x, y, width, height, mark.ariaLabel].join(" ");
          });
          return [innerWidth, innerHeight, ...boxes].join("|");
        };
        let [last, frames] = ["", 0];
        const look = () => {
          const now = state();
          frames = now === last ? frames + 1 : 0;
          last = now;
          if (frames === 10) resolve();
          else requestAnimationFrame(look);
        };
        look();
      }),
    marks,
  );
}
