// What recorded prices are in a backtest: the venue's own, seen only when a slot is spent on them, or a free reference feed.

export const ROLES = ["venue", "reference"] as const;

export type Role = (typeof ROLES)[number];
