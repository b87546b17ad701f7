// A rail as a request body. A rail to a wallet carries `wallet`, one to a bank `bankaccount`.

import type { RailRequest } from "../../domain/rail.ts";

export function railBody({ type, sender, destination, memo, asset, currency, blockchain }: RailRequest) {
  return {
    railtype: type,
    sender: { partyname: { name: sender.name }, address: { country: sender.country }, partytype: sender.type },
    ...(type === "FiatToStablecoin"
      ? { wallet: memo === undefined ? { destination } : { destination, memo } }
      : { bankaccount: { destination } }),
    instructions: { asset, currency, blockchain },
  };
}
