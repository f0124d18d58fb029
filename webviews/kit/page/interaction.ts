/** What people do in the drawing, by pointer and by keyboard. */
import { type Drawn, type KeyMeaning, listen } from "../stage/gestures";
import { isAround, lassoPath, middleOf } from "../stage/lasso";
import { marksBetween, nextMark } from "../stage/moving";
import { type Box, type Fact, isIn, type Mark, meets, type MoveKey, type Point } from "../stage/scene";
import type { DetailAction } from "../frame/model";
import { isFocusKept } from "../keptFocus";
import { followChords } from "../stage/chords";
import type { Showing } from "./showing";
import type { MarkActions } from "./actions";
import { type PageParts, type PageState, ZOOM } from "./state";

/** The part of the width that a key moves by. */
const PANNED = 0.25;

export class Interaction<Content, ChosenPart, Seen, Part> {
  private readonly state: PageState<Content, ChosenPart>;
  /** The host knows how large the drawing is. */
  private isReady = false;

  constructor(
    private readonly parts: PageParts<Content, ChosenPart, Seen, Part>,
    private readonly showing: Showing<Content, ChosenPart, Seen, Part>,
    private readonly actions: MarkActions<Content, ChosenPart, Seen, Part>,
  ) {
    this.state = parts.state;
  }

  /** Begins to listen to pointer and keyboard. */
  listen(): void {
    const { stage, definition, choice, sights, frame } = this.parts;
    listen(stage.element, {
      point: (at) => {
        const mark = stage.markAt(at.x, at.y);
        this.point(mark, mark && stage.partAt(mark, at.x, at.y));
      },
      leave: () => this.point(undefined),
      click: (at, adds) => {
        const mark = this.partAt(at);
        sights?.follow({ kind: "measure" });
        if (!mark) return sights?.follow({ kind: "press", at });
        const sign = stage.signAt(at.x, at.y);
        this.click(mark.id, adds);
        if (sign?.does !== undefined && sign.mark === mark.id && !adds) this.actions.use(sign.does, mark.id);
      },
      opening: (at) => {
        const mark = this.partAt(at);
        const open = mark && this.actions.opening(mark.id);
        const { shown } = this.state;
        const gesture = open && shown && sights?.spec.opens?.(shown.content, sights.seen, at, stage.view);
        if (!gesture) return open;
        return () => {
          sights?.follow(gesture, { tellsAtOnce: true });
          open();
        };
      },
      menu: (at) => this.menu(at ? this.markAt(at)?.id : this.state.active, at),
      canBrush: (at, withShift) => {
        if (this.canMeasure(at, withShift)) return true;
        const brush = definition.members && stage.scene?.brush;
        return brush !== undefined && isIn(brush, at);
      },
      brush: (drawn, how) => this.brush(drawn, how),
      giveUp: () => {
        stage.showBrush(undefined);
        choice.giveUp();
      },
      zoomsByWheel: (at) => {
        const { shown } = this.state;
        return shown !== undefined && sights?.spec.zoomsByWheel?.(shown.content, at, stage.view) === true;
      },
      canMove: () => sights !== undefined && this.state.shown !== undefined,
      pan: (at, dx, dy) => sights?.follow({ kind: "pan", at, dx, dy }),
      zoom: (at, factor) => sights?.follow({ kind: "zoom", at, factor }),
      focused: (mark) => {
        this.state.active = mark ?? this.state.active;
        // Tab may follow, and leads to the parts of this mark.
        stage.emphasise(this.showing.emphasis, true);
        this.point(mark === undefined || isFocusKept() ? undefined : stage.mark(mark));
      },
      move: (key, extending) => this.move(key, extending),
      key: (key) => this.key(key),
      letter: (letter) => this.letter(letter),
    });
    followChords(window);
    window.addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      if (event.key === "f") frame.openSearch();
      else if (isTyping(event.target) || !this.useKey(event)) return;
      event.preventDefault();
    });
  }

  /** @returns whether it means something, or may once the host has said what it knows of the selected mark */
  private letter(letter: string): boolean {
    const { sights } = this.parts;
    this.state.keyWanted = undefined;
    if (this.useDetail(letter)) return true;
    const tool = this.showing.sightTools().find(({ key }) => key === letter);
    if (tool) sights?.follow(tool.gesture);
    if (tool || this.useTool(letter)) return true;
    const { awaited: mark } = this.showing;
    if (mark !== undefined) this.state.keyWanted = { mark, letter };
    return mark !== undefined;
  }

  /** @returns whether an action of the strip has this key */
  private useDetail(letter: string): boolean {
    const action = this.showing.details()?.actions.find(({ key }) => key === letter);
    if (action) this.detail(action);
    return action !== undefined;
  }

  /** The host has said what it knows of a mark: a key that was pressed before that means what it would mean now. */
  explained(mark: number): void {
    const { keyWanted, selected, pointed } = this.state;
    if (keyWanted?.mark === mark && selected === mark) {
      this.state.keyWanted = undefined;
      this.useDetail(keyWanted.letter);
    }
    if (pointed === mark) this.point(this.parts.stage.mark(mark));
  }

  /** With Ctrl. @returns whether a tool has this key */
  private useKey({ key, shiftKey }: KeyboardEvent): boolean {
    // As some desktops do it again.
    const letter = key.toUpperCase() === "Y" ? "Shift+Z" : `${shiftKey ? "Shift+" : ""}${key.toUpperCase()}`;
    return this.useTool(`Ctrl+${letter}`);
  }

  /** @returns whether a tool of the host has this key */
  private useTool(key: string): boolean {
    const tool = this.state.framed?.controls.find((control) => control.kind === "tool" && control.key === key);
    if (tool?.kind !== "tool") return false;
    if (tool.disabled === undefined) this.parts.host.post({ type: "control", id: tool.id, value: "" });
    return true;
  }

  private key(key: KeyMeaning): void {
    const { choice, stage, frame, sights } = this.parts;
    const { active } = this.state;
    this.state.keyWanted = undefined;
    switch (key) {
      case "open":
        return active !== undefined && this.actions.isSeveral(active)
          ? this.key("fill")
          : this.actions.use("open", active);
      case "toggle":
        return active !== undefined && this.actions.canChoose(active) && !this.actions.doesOther(active)
          ? choice.toggle(active)
          : this.actions.use("select", active);
      case "clear": {
        const whole = active === undefined ? undefined : stage.mark(active)?.within;
        this.state.anchor = undefined;
        sights?.follow({ kind: "measure" });
        if (whole !== undefined) return this.goTo(whole);
        if (this.state.chosenMarks) return choice.set([]);
        this.state.select(undefined);
        return this.showing.update();
      }
      case "search":
        return frame.openSearch();
      case "explain":
        return this.showing.explain();
      case "fit":
        return sights ? sights.follow({ kind: "fit" }) : void this.useTool("0");
      case "zoom-in":
      case "zoom-out": {
        const factor = key === "zoom-in" ? ZOOM : 1 / ZOOM;
        return sights?.follow({ kind: "zoom", factor, mark: active });
      }
      case "pan-left":
      case "pan-right": {
        const { width, height } = stage.view;
        const dx = (key === "pan-left" ? -1 : 1) * width * PANNED;
        return sights?.follow({ kind: "pan", at: { x: width / 2, y: height / 2 }, dx, dy: 0 });
      }
      case "fill": {
        const measured = this.showing.measured()?.actions.find((action) => action.key === "F");
        if (measured?.gesture) return sights?.follow(measured.gesture);
        return active === undefined ? undefined : this.actions.fill(active);
      }
    }
  }

  /** @param withShift whether Shift is held, with which a drag measures wherever one can */
  private canMeasure(at: Point, withShift: boolean): boolean {
    const { shown } = this.state;
    const { sights } = this.parts;
    return (
      shown !== undefined &&
      sights?.spec.measures !== undefined &&
      (withShift || sights.spec.measures(shown.content, at))
    );
  }

  /** Explains what is pointed at or has the focus; nothing: nothing. @param part of it that the pointer is at */
  point(mark: Mark | undefined, part?: Mark): void {
    const { stage, explanations, frame, definition, sights } = this.parts;
    const isOther = mark?.id !== this.state.pointed;
    this.state.pointed = mark?.id;
    if (isOther) stage.emphasise(this.showing.emphasis);
    if (!mark) {
      explanations.point(undefined);
      return frame.tooltip.leave();
    }
    const { left, top } = stage.element.getBoundingClientRect();
    const { x, y, width, height } = mark.box;
    const beside = { left: left + x, top: top + y, right: left + x + width, bottom: top + y + height };
    const { name, place = part?.place } = mark;
    const here = part ? hereOf(part) : [];
    const numbers = this.state.shown && definition.explains?.(this.state.shown.content);
    if (numbers === undefined)
      return frame.tooltip.show({ name, place, facts: [...here, ...mark.facts()], note: mark.note?.() }, beside);
    if (!this.actions.isSeveral(mark.id)) explanations.point(mark.id);
    const more = explanations.of(mark.id);
    const explanation = {
      name: mark.name,
      facts: [...mark.facts(), ...(more?.facts ?? [])],
      ...(more?.place === undefined ? {} : { place: more.place }),
      note: numbers,
    };
    frame.tooltip.show(explanation, beside, sights ? "below" : "beside");
  }

  /** What is hit at a point: what only lies there can be pointed at, and nothing else. */
  private markAt({ x, y }: Point): Mark | undefined {
    const { stage } = this.parts;
    const mark = stage.markAt(x, y);
    return mark && stage.mark(mark.id);
  }

  /** The same, or its part where that is what is pointed at: a click on a part is about it, as one on its name is. */
  private partAt(at: Point): Mark | undefined {
    const mark = this.markAt(at);
    return mark && (this.parts.stage.partAt(mark, at.x, at.y) ?? mark);
  }

  /** @param id of a mark of the content; one that is not drawn has a row in a table */
  click(id: number, adds: boolean): void {
    const { definition, stage, sights, choice } = this.parts;
    const { members } = definition;
    const mark = stage.mark(id);
    if (!mark) return this.actions.use("select", id);
    this.state.active = id;
    this.state.anchor = undefined;
    // On a canvas the one element becomes that of this mark.
    stage.emphasise(this.showing.emphasis);
    stage.focus(id);
    const isShownApart = this.actions.isSeveral(id) && sights?.spec.selectsSeveral !== true;
    if (sights && (adds || isShownApart)) return this.actions.fill(id);
    if (members && this.actions.canChoose(id) && (adds || (members.byClick && !this.actions.doesOther(id))))
      return adds ? choice.toggle(id) : choice.set([id]);
    this.actions.use("select", id);
  }

  /** An action of the details strip. */
  detail({ id, gesture }: DetailAction): void {
    if (!gesture) return this.actions.use(id, this.state.selected);
    // What it leads to is marked for good, and keys go on from there, also where its marks are still to come.
    if (gesture.kind === "reveal") {
      this.actions.use("select", gesture.place.mark);
      this.state.active = gesture.place.mark;
    }
    this.parts.sights?.follow(gesture);
  }

  private brush({ box, line }: Drawn, how: { adds: boolean; ended: boolean }): void {
    const { definition, stage, frame, choice, sights } = this.parts;
    const { members } = definition;
    const { scene } = stage;
    if (sights?.spec.measures) return sights.follow({ kind: "measure", box, isUnderWay: !how.ended });
    if (!members || !scene?.brush) return;
    const isInside = scene.lasso
      ? (mark: Mark) => isAround(line, middleOf(mark.box))
      : (mark: Mark) => meets(mark.box, box);
    const inside = scene.marks.filter((mark) => isInside(mark) && this.actions.canChoose(mark.id));
    frame.tooltip.hide();
    const drawn = scene.lasso ? lassoPath(line) : clipped(box, scene.brush);
    stage.showBrush(how.ended ? undefined : drawn);
    this.state.anchor = undefined;
    choice.drag(
      inside.map(({ id }) => id),
      how,
    );
    if (how.ended && inside.length > 0) this.goTo(inside[inside.length - 1].id);
  }

  private move(key: MoveKey, extending: boolean): void {
    const { stage, definition, choice } = this.parts;
    const { scene } = stage;
    const { active } = this.state;
    this.state.keyWanted = undefined;
    const next = scene && nextMark(scene, active, key);
    if (!scene || next === undefined) return;
    if (extending && definition.members && active !== undefined) {
      this.state.anchor ??= active;
      choice.extend(marksBetween(scene, this.state.anchor, next).filter((id) => this.actions.canChoose(id)));
    } else this.state.anchor = undefined;
    this.goTo(next);
  }

  /** Gives the focus to a mark, and brings it into sight. */
  goTo(mark: number): void {
    const { shown } = this.state;
    const { sights, stage } = this.parts;
    const place = shown && sights?.spec.placeOf(shown.content, mark);
    if (place) sights?.follow({ kind: "reveal", place });
    this.state.active = mark;
    stage.emphasise(this.showing.emphasis);
    stage.focus(mark);
    // On a canvas the one element has had the focus already.
    this.point(stage.mark(mark));
  }

  private menu(mark: number | undefined, at: Point | undefined): void {
    const { stage } = this.parts;
    const known = mark === undefined ? undefined : stage.mark(mark);
    if (!known) return;
    const { left, top } = stage.element.getBoundingClientRect();
    const { x, y, width, height } = known.box;
    const place = at ?? { x: x + width / 2, y: y + height / 2 };
    this.goTo(known.id);
    this.actions.menuOf(
      known.id,
      known.name,
      { x: left + place.x, y: top + place.y },
      { focus: () => stage.focus(known.id) },
    );
  }

  /** The drawing has another size, or its first. */
  resized(size: { width: number; height: number }): void {
    const { host, frame, sights } = this.parts;
    const room = { width: innerWidth, height: innerHeight, windowWidth: outerWidth };
    const isKnown = Object.values(room).every((side) => side > 0);
    host.post({ type: this.isReady ? "resize" : "ready", ...size, ...(isKnown ? { room } : {}) });
    this.isReady = true;
    frame.tooltip.hide();
    sights?.ask();
    this.showing.update();
  }
}

/** The part that the pointer is at, with the first of its numbers: the others are said where it is pointed at by its name. */
function hereOf(part: Mark): Fact[] {
  return part
    .facts()
    .slice(0, 1)
    .map(([, ...numbers]) => [`here: ${part.name}`, ...numbers]);
}

function clipped(box: Box, { x, y, width, height }: Box): Box {
  const [left, top] = [Math.max(box.x, x), Math.max(box.y, y)];
  const right = Math.min(box.x + box.width, x + width);
  const bottom = Math.min(box.y + box.height, y + height);
  return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

/** In a text, keys are the text's own. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input:not([type=range]), textarea") !== null;
}
