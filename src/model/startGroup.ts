/** Group of roots that are only on the way to a program's own functions (semantics 2, rule 7, group). */
export const START = "(start)";
