/** Title of the laws in each panel's tests, by which `npm test` chooses them. */
export const LAWS_TITLE = "as every panel";
