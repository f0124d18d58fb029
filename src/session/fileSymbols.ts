/** What VS Code answers when asked for a file's symbols, as the engine wants it. Pure: kinds are VS Code's numbers. */
import type { FileSymbol } from "../engine/api";

/** `vscode.SymbolKind`, from 0. */
const MODULE = 1;
const NAMESPACE = 2;
const PACKAGE = 3;
const CLASS = 4;
const METHOD = 5;
const CONSTRUCTOR = 8;
const ENUM = 9;
const INTERFACE = 10;
const FUNCTION = 11;
const OBJECT = 18;
const STRUCT = 22;
const OPERATOR = 24;

const kinds: ReadonlyMap<number, FileSymbol["kind"]> = new Map([
  [MODULE, "namespace"],
  [NAMESPACE, "namespace"],
  [PACKAGE, "namespace"],
  [CLASS, "class"],
  [ENUM, "class"],
  [INTERFACE, "class"],
  [OBJECT, "class"],
  [STRUCT, "class"],
  [METHOD, "function"],
  [CONSTRUCTOR, "function"],
  [FUNCTION, "function"],
  [OPERATOR, "function"],
]);

/** Symbols of one file that are taken over: servers list every variable too. */
const MOST = 20_000;

interface Range {
  readonly start: { readonly line: number };
  readonly end: { readonly line: number };
}

interface Symbol {
  readonly name: string;
  readonly kind: number;
  /** Of a nested answer. */
  readonly range?: Range;
  readonly selectionRange?: Range;
  readonly children?: readonly Symbol[];
  /** Of a flat one. */
  readonly location?: { readonly range: Range };
  readonly containerName?: string;
}

/** Both kinds of answer: nested symbols, and a flat list with the names of what holds them. Anything else is no symbol. */
export function fileSymbols(answer: unknown): FileSymbol[] {
  if (!Array.isArray(answer)) return [];
  const found: FileSymbol[] = [];
  const waiting = (answer as unknown[]).map((symbol) => ({ symbol, within: [] as readonly string[] })).reverse();
  for (let next = waiting.pop(); next !== undefined && found.length < MOST; next = waiting.pop()) {
    const { symbol, within } = next;
    if (!isSymbol(symbol)) continue;
    const range = symbol.range ?? symbol.location?.range;
    if (range === undefined) continue;
    const around = within.length === 0 && symbol.containerName ? [symbol.containerName] : within;
    const kind = kinds.get(symbol.kind);
    if (kind !== undefined)
      found.push({
        name: symbol.name,
        kind,
        line: (symbol.selectionRange ?? range).start.line + 1,
        from: range.start.line + 1,
        to: range.end.line + 1,
        within: around,
      });
    const inner = [...around, symbol.name].slice(-8);
    for (const child of [...(symbol.children ?? [])].reverse()) waiting.push({ symbol: child, within: inner });
  }
  return found;
}

function isSymbol(value: unknown): value is Symbol {
  const { name, kind } = (value ?? {}) as Partial<Symbol>;
  return typeof name === "string" && typeof kind === "number";
}
