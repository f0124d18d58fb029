/** Room around a super graph's layout, which itself leaves room above each bar and to the right of the last level; pixels. */
export const MARGIN = { left: 12, right: 6, top: 2, bottom: 10 } as const;
