// Other names under which histories of orders and trades may give what identifies a row: the contract does not show them.

export const historyNames = {
  clientorderid: "clordid",
  orderid: "ordid",
  pair: "symbol",
  time: "timestamp",
  created_at: "timestamp",
} as const;
