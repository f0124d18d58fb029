/** A checker for the part of JSON Schema that the project's schemas use; throws where they use more. */
type Schema = Readonly<Record<string, unknown>>;

/** Words that say something to people or editors only. */
const WORDS_FOR_PEOPLE = new Set(
  ["$schema", "title", "description", "markdownDescription", "definitions", "default", "defaultSnippets"].concat([
    "patternErrorMessage",
    "order",
    "scope",
  ]),
);

export function isValid(root: Schema, value: unknown, schema: Schema = root): boolean {
  return Object.entries(schema).every(
    ([word, given]) => WORDS_FOR_PEOPLE.has(word) || holds(root, word, given, value, schema),
  );
}

function holds(root: Schema, word: string, given: unknown, value: unknown, schema: Schema): boolean {
  const is = (part: unknown, what: unknown) => isValid(root, what, part as Schema);
  const object =
    typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
  switch (word) {
    case "$ref": {
      const name = String(given).replace("#/definitions/", "");
      return is((root.definitions as Record<string, Schema>)[name], value);
    }
    case "anyOf":
      return (given as Schema[]).some((part) => is(part, value));
    case "type":
      return given === "array"
        ? Array.isArray(value)
        : given === "object"
          ? object !== undefined
          : typeof value === given;
    case "items":
      return !Array.isArray(value) || value.every((item) => is(given, item));
    case "required":
      return object === undefined || (given as string[]).every((key) => object.some(([own]) => own === key));
    case "properties": {
      const known = new Map(Object.entries(given as Record<string, Schema>));
      return object === undefined || object.every(([key, own]) => !known.has(key) || is(known.get(key), own));
    }
    case "propertyNames":
      return object === undefined || object.every(([key]) => is(given, key));
    case "additionalProperties": {
      const known = new Set(Object.keys((schema.properties ?? {}) as object));
      return object === undefined || object.every(([key, own]) => known.has(key) || is(given, own));
    }
    case "minLength":
      return typeof value !== "string" || value.length >= Number(given);
    case "maxLength":
      return typeof value !== "string" || value.length <= Number(given);
    case "pattern":
      return typeof value !== "string" || new RegExp(String(given), "u").test(value);
    default:
      throw new Error(`the checker does not know "${word}"`);
  }
}
