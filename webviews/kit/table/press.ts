/** Whether a pointer is held down within an element: what it pressed must keep its element until the click is over. */
export class Press {
  private pressed = false;

  /** @param released called when the click is over, also if the pointer was released outside of the page */
  constructor(place: HTMLElement, released: () => void) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const press = () => {
      clearTimeout(timer);
      this.pressed = true;
    };
    const release = () => {
      if (!this.pressed) return;
      clearTimeout(timer);
      // The click follows the release in the same task.
      timer = setTimeout(() => {
        this.pressed = false;
        released();
      });
    };
    place.addEventListener("pointerdown", press, true);
    for (const event of ["pointerup", "pointercancel"]) window.addEventListener(event, release, true);
    window.addEventListener("pointermove", ({ buttons }) => buttons === 0 && release(), true);
  }

  get isDown(): boolean {
    return this.pressed;
  }
}
