// A rail as the body of its call. Towards a wallet it carries `wallet`, towards a bank `bankaccount`.

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
