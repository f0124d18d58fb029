import type { Frame } from "playwright-core";

/**
 * Waits until a panel stands where it stays: neither its size nor its marks change during ten frames of the screen. An editor that
 * opens beside it makes it narrower, and a bar moves away from below the pointer.
 */
export async function isSteady(frame: Frame): Promise<void> {
  await frame.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const state = () => {
          const boxes = [...document.querySelectorAll(".drawing, .drawing [role=option]")].slice(0, 500).map((mark) => {
            const { x, y, width, height } = mark.getBoundingClientRect();
            return [x, y, width, height].join(" ");
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
  );
}
