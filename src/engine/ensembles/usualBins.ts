/** Bins of a gradient where nobody says how many (semantics 10, Bar). */
export const USUAL_BINS = 20;
