/** Shows a panel's page what its host would send, of a sample. */
import type { Chosen } from "../../../src/engine/api";
import type { PanelDefinition, View } from "../../../src/panels/kit/definition";
import { quietTask } from "../../../src/model/task";
import { frameMessage } from "../../../src/panels/kit/frameMessage";
import { drawn, type OpenOptions, type PanelPage, type PanelWindow, type Sent } from "../window";

export interface PanelSample<State, Shown> {
  readonly name: string;
  readonly view: View<State>;
  readonly shown: Shown;
  /** Pictures of it are left for people to look at, as of the first sample. */
  readonly isPictured?: boolean;
  /** A restriction that the drawing marks. */
  readonly chosen?: Chosen;
}

/** Opens a page, which is then ready for messages. */
export async function openPage(window: PanelWindow, options: OpenOptions = {}): Promise<PanelPage> {
  const panel = await window.open(options);
  await panel.page.waitForFunction(() => (globalThis as unknown as { sent: unknown[] }).sent.length > 0);
  await panel.sent();
  return panel;
}

/** Sends frame, content and what is chosen, and waits until it is drawn. */
export async function sendSample<State extends object, Shown, Content, ChosenPart, Part>(
  panel: PanelPage,
  definition: PanelDefinition<State, Shown, Content, ChosenPart, Part>,
  { view, shown, chosen }: PanelSample<State, Shown>,
  revision = 1,
): Promise<void> {
  await panel.send(frameMessage(definition, "a-key", view, shown));
  await panel.send({ type: "content", revision, content: definition.content(shown, view) });
  await sendParts(panel, definition, { view, shown }, revision);
  await sendChosen(panel, definition, shown, chosen, { revision, choice: 0 });
  await drawn(panel.page);
}

/** Sends what comes after the content, made for the page's size as it is now. */
export async function sendParts<State extends object, Shown, Part>(
  panel: PanelPage,
  definition: Pick<PanelDefinition<State, Shown, unknown, never, Part>, "later">,
  { view, shown }: { readonly view: View<State>; readonly shown: Shown },
  revision = 1,
): Promise<void> {
  for (const part of await partsOf(definition, shown, await viewIn(panel, view)))
    await panel.send({ type: "part", revision, part });
  await drawn(panel.page);
}

/** What comes after the content, in a page of this size. */
export async function partsOf<State extends object, Shown, Part>(
  { later = [] }: Pick<PanelDefinition<State, Shown, unknown, never, Part>, "later">,
  shown: Shown,
  view: View<State>,
): Promise<Part[]> {
  const asked = later.filter((part) => part.depends(view, shown) !== undefined);
  return Promise.all(asked.map((part) => part.ask(shown, view, quietTask)));
}

/** The view with the size of the page's drawing. */
export async function viewIn<State>({ page }: PanelPage, view: View<State>): Promise<View<State>> {
  const { width, height } = (await page.locator(".stage").boundingBox()) ?? view.size;
  return { ...view, size: { width: Math.round(width), height: Math.round(height) } };
}

/** What the host says of a restriction. */
export async function sendChosen<Shown, ChosenPart>(
  panel: PanelPage,
  { members }: Pick<PanelDefinition<never, Shown, unknown, ChosenPart>, "members">,
  shown: Shown,
  chosen: Chosen | undefined,
  of: { readonly revision: number; readonly choice: number },
): Promise<void> {
  const part = chosen && members?.part(shown, chosen);
  if (members) await panel.send({ type: "chosen", ...of, ...(part === undefined ? {} : { chosen: part }) });
  await drawn(panel.page);
}

/**
 * Answers what a page with a part in sight asks for, until it asks for nothing more.
 *
 * @param contentAt the content there; undefined: the page has it
 * @param partsAt what comes after it
 * @returns everything else that the page sent
 */
export async function settleLooks(
  panel: PanelPage,
  contentAt: (look: unknown) => Promise<unknown>,
  partsAt: (look: unknown) => Promise<readonly unknown[]> = () => Promise.resolve([]),
): Promise<Sent[]> {
  const others: Sent[] = [];
  for (let quiet = 0; quiet < 2;) {
    await drawn(panel.page);
    const sent = await panel.sent();
    const looks = sent.filter(({ type }) => type === "look");
    others.push(...sent.filter(({ type }) => type !== "look" && type !== "ready" && type !== "resize"));
    for (const { look } of looks) {
      const content = await contentAt(look);
      if (content !== undefined) await panel.send({ type: "content", revision: 1, content });
      for (const part of await partsAt(look)) await panel.send({ type: "part", revision: 1, part });
    }
    quiet = looks.length > 0 ? 0 : quiet + 1;
  }
  return others;
}
