/** Elements built in code: text is only ever text, attributes are only those named here. */

type Child = Node | string | undefined;
/** A child, or a list of them of any length. */
type Children = Child | readonly Child[];
type Attribute = string | number | boolean | undefined;
type Attributes = Readonly<Record<string, Attribute>>;

/** An HTML element; `false` and `undefined` leave an attribute out. */
export function html<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Children[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  setAll(element, attributes);
  append(element, children);
  return element;
}

/** An SVG element. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Children[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAll(element, attributes);
  append(element, children);
  return element;
}

export function setAll(element: Element, attributes: Attributes): void {
  for (const name in attributes) set(element, name, attributes[name]);
}

/** An SVG element that is drawn again and again: the browser hears of what changes, and of nothing else. */
export class Mark<Tag extends keyof SVGElementTagNameMap> {
  readonly element: SVGElementTagNameMap[Tag];
  private readonly known = new Map<string, Attribute>();

  /** @param attributes those that stay */
  constructor(tag: Tag, attributes: Attributes = {}, ...children: Children[]) {
    this.element = svg(tag, attributes, ...children);
  }

  /** No name may be one of those that stay. */
  set(attributes: Attributes): void {
    for (const name in attributes) {
      const value = attributes[name];
      if (this.known.get(name) === value) continue;
      this.known.set(name, value);
      set(this.element, name, value);
    }
  }
}

function set(element: Element, name: string, value: Attribute): void {
  if (value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/** Puts these children in the place of all that an element has. */
export function replaceAll(element: Element, ...children: Children[]): void {
  const all = document.createDocumentFragment();
  append(all, children);
  element.replaceChildren(all);
}

function append(parent: ParentNode, children: readonly Children[]): void {
  for (const one of children)
    for (const child of Array.isArray(one) ? (one as readonly Child[]) : [one as Child])
      if (child !== undefined) parent.append(child);
}
