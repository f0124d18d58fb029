/** The lines under the controls: what is drawn, what must be said about it, progress, and what went wrong. */
import type { Problem } from "../../src/protocol/panel";
import { button } from "./controls";
import { html, setAll } from "./dom";
import { plural, visible } from "./text";

/** What is done within this time shows no progress, which would take room from the drawing and give it back. */
const PATIENCE_MS = 300;

export class Status {
  readonly element: HTMLElement;
  private readonly summary = html("span", { class: "summary" }, "Loading…");
  private readonly found = html("span", { class: "found", role: "status" });
  private readonly notes = html("ul", { class: "notes", hidden: true });
  /** Shows all notes where there is no room for them beside the drawing. */
  private readonly allNotes = html("button", { type: "button", class: "all-notes", hidden: true });
  private readonly bar = html("progress", { "aria-label": "Progress" });
  private readonly progressText = html("span");
  private readonly progress: HTMLElement;
  /** Until progress is shown. */
  private patience: number | undefined;
  private readonly problem = html("div", { class: "problem", role: "alert", hidden: true });
  private readonly notice = html("p", { class: "notice", role: "status" });

  constructor(private readonly listeners: { cancel(): void; retry(): void; open(): void }) {
    this.progress = html(
      "div",
      { class: "progress", hidden: true },
      this.bar,
      this.progressText,
      button("Cancel", listeners.cancel),
    );
    this.element = html(
      "div",
      { class: "status" },
      html("p", {}, this.summary, this.found),
      this.notes,
      this.allNotes,
      this.progress,
      this.problem,
      this.notice,
    );
    this.allNotes.addEventListener("click", () => {
      this.notes.classList.toggle("whole");
      this.offerAllNotes();
    });
    new ResizeObserver(() => this.offerAllNotes()).observe(this.notes);
  }

  showSummary(text: string, notes: readonly string[]): void {
    this.summary.textContent = text;
    this.notes.replaceChildren(...notes.map((note) => html("li", {}, note)));
    this.notes.hidden = notes.length === 0;
    this.hideProgress();
    this.problem.hidden = true;
    this.notice.textContent = "";
    this.offerAllNotes();
  }

  /**
   * Notes are cut after some lines, since the drawing must keep its room: then the rest is a press away. To find out, the page is
   * laid out; what stays as it is is not written again, or who asks for a size next would have it laid out once more.
   */
  private offerAllNotes(): void {
    const { notes, allNotes } = this;
    const isWhole = notes.classList.contains("whole");
    allNotes.hidden = notes.hidden || (!isWhole && notes.scrollHeight <= notes.clientHeight + 1);
    if (allNotes.hidden) return;
    const text = isWhole ? "Fewer notes" : `All ${plural(notes.children.length, "note")}`;
    if (allNotes.textContent !== text) allNotes.textContent = text;
    setAll(allNotes, { "aria-expanded": String(isWhole) });
  }

  /** How much the search found; empty while nothing is searched for. */
  showFound(text: string): void {
    this.found.textContent = text;
  }

  /** @param fraction 0 to 1; undefined where it cannot be told */
  showProgress(fraction: number | undefined, message: string | undefined): void {
    this.patience ??= window.setTimeout(() => (this.progress.hidden = false), PATIENCE_MS);
    this.problem.hidden = true;
    setAll(this.bar, { max: 1, value: fraction });
    this.progressText.textContent = visible(message ?? "Computing…");
  }

  private hideProgress(): void {
    window.clearTimeout(this.patience);
    this.patience = undefined;
    this.progress.hidden = true;
  }

  showProblem({ kind, message, advice, action }: Problem): void {
    this.hideProgress();
    this.notice.textContent = "";
    if (kind === "empty" || kind === "unmeasured" || kind === "closed") {
      this.summary.textContent = "";
      this.notes.hidden = true;
      this.offerAllNotes();
    }
    setAll(this.problem, { class: `problem ${kind}` });
    this.problem.replaceChildren(html("p", {}, visible(message)));
    if (advice !== undefined) this.problem.append(html("p", {}, visible(advice)));
    if (action === "retry") this.problem.append(button("Try Again", this.listeners.retry));
    if (action === "open") this.problem.append(button("Open It", this.listeners.open, { primary: true }));
    this.problem.hidden = false;
  }

  showNotice(text: string): void {
    this.notice.textContent = text;
  }
}
