import type { Language } from "./languages";

const c = `
(function_definition) @function
(compound_statement) @block
(preproc_include) @include
(call_expression) @call
(declaration) @declaration
(expression_statement (identifier) @bare)
(compound_statement (type_identifier) @bare)
(struct_specifier body: (_)) @class
(field_declaration) @field
(ERROR) @error
`;

const cpp = `${c}
(lambda_expression) @lambda
(namespace_definition) @namespace
(class_specifier body: (_)) @class
`;

const python = `
(function_definition) @function
(class_definition) @class
(call) @call
(decorator) @decorator
(block) @block
(with_statement) @block
(import_statement) @include
(import_from_statement) @include
`;

/** One query a language: everything that facts are made from, in the order of the text. */
export const queries: Readonly<Record<Language, string>> = { c, cpp, python };
