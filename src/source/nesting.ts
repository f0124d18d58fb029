import type { Extent } from "./facts";

type Container = Extent &
  (
    | { readonly kind: "block" }
    | { readonly kind: "definition"; readonly id: number }
    | { readonly kind: "namespace"; readonly names: readonly string[] }
    | { readonly kind: "class"; readonly names: readonly string[]; readonly id: number }
  );
type Scope = Extract<Container, { names: readonly string[] }>;

/** Scopes around a name that are kept: hostile text may nest without end. */
const MOST_SCOPES = 32;

/** What the reading position lies in, as captures go by in the order of the text: no climbing in the syntax tree, any depth. */
export class Nesting {
  private readonly open: Container[] = [];
  // Each kind has its own stack too, so that the innermost one is found at once however deep the text nests.
  private readonly blocks: Container[] = [];
  private readonly definitions: { readonly id: number }[] = [];
  private readonly scoped: Scope[] = [];
  private anonymousNamespaces = 0;
  readonly lineStarts: number[] = [0];

  constructor(private readonly text: string) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.lineStarts.push(at + 1);
  }

  enter(container: Container): void {
    this.open.push(container);
    if (container.kind === "block") this.blocks.push(container);
    else if (container.kind === "definition") this.definitions.push(container);
    else this.scoped.push(container);
    if (isAnonymousNamespace(container)) this.anonymousNamespaces++;
  }

  /** Leaves all that ends at or before this position. */
  leaveBefore(at: number): void {
    while (this.open.length > 0 && this.open[this.open.length - 1].to <= at) {
      const left = this.open.pop();
      if (left?.kind === "block") this.blocks.pop();
      else if (left?.kind === "definition") this.definitions.pop();
      else this.scoped.pop();
      if (left !== undefined && isAnonymousNamespace(left)) this.anonymousNamespaces--;
    }
  }

  /** 1-based. */
  lineAt(at: number): number {
    let low = 0;
    let high = this.lineStarts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.lineStarts[middle] <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** Id of the innermost definition, -1 outside of any. */
  definition(): number {
    return this.definitions[this.definitions.length - 1]?.id ?? -1;
  }

  /** Id of the innermost class that the position lies in, -1 where the innermost scope is no class. */
  class(): number {
    const innermost = this.scoped[this.scoped.length - 1];
    return innermost?.kind === "class" ? innermost.id : -1;
  }

  /** The innermost block; outside of any the whole text. */
  block(): Extent {
    const block = this.blocks[this.blocks.length - 1];
    return block === undefined ? { from: 0, to: this.text.length } : { from: block.from, to: block.to };
  }

  /** Names of the namespaces and classes, outermost first. */
  scopes(): string[] {
    return this.scoped.slice(-MOST_SCOPES).flatMap((scope) => scope.names);
  }

  /** How many classes the position lies in, counted from the innermost scope outwards. */
  classes(): number {
    let count = 0;
    while (count < MOST_SCOPES && this.scoped[this.scoped.length - 1 - count]?.kind === "class") count++;
    return count;
  }

  /** In a namespace without a name. */
  anonymous(): boolean {
    return this.anonymousNamespaces > 0;
  }
}

function isAnonymousNamespace(container: Container): boolean {
  return container.kind === "namespace" && container.names.length === 0;
}
