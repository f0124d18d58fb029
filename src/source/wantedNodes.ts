import type { Language } from "./languages";

/** What facts are made from: node types of the grammar by what they are taken for; some only below a certain parent. */
export interface WantedNode {
  readonly type: string;
  readonly as: string;
  readonly below?: string;
}

const c: readonly WantedNode[] = [
  { type: "function_definition", as: "function" },
  { type: "compound_statement", as: "block" },
  { type: "preproc_include", as: "include" },
  { type: "call_expression", as: "call" },
  { type: "declaration", as: "declaration" },
  { type: "identifier", as: "bare", below: "expression_statement" },
  { type: "type_identifier", as: "bare", below: "compound_statement" },
  { type: "struct_specifier", as: "class" },
  { type: "field_declaration", as: "field" },
  { type: "type_definition", as: "typedef" },
  { type: "ERROR", as: "error" },
];

const cpp: readonly WantedNode[] = [
  ...c,
  { type: "lambda_expression", as: "lambda" },
  { type: "namespace_definition", as: "namespace" },
  { type: "class_specifier", as: "class" },
  { type: "alias_declaration", as: "using" },
  { type: "template_declaration", as: "template" },
];

const python: readonly WantedNode[] = [
  { type: "function_definition", as: "function" },
  { type: "class_definition", as: "class" },
  { type: "call", as: "call" },
  { type: "decorator", as: "decorator" },
  { type: "block", as: "block" },
  { type: "with_statement", as: "block" },
  { type: "import_statement", as: "include" },
  { type: "import_from_statement", as: "include" },
];

export const wantedNodes: Readonly<Record<Language, readonly WantedNode[]>> = { c, cpp, python };
