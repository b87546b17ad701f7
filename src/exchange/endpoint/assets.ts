// GET /client/assets: what the venue supports. The contract gives {symbol, name}; {asset, blockchains} was seen too.

import type { ListedAsset } from "../port.ts";
import { asset, flag, list, listOfReadable, mapped, optional, prose, record, word } from "../wire/decoder.ts";
import type { ReadEndpoint } from "./endpoint.ts";

const row = record(
  {
    symbol: asset,
    name: prose,
    blockchains: optional(list(record({ blockchain: word, isactive: flag }))),
  },
  { asset: "symbol" },
);

const answer = record({ assets: listOfReadable(row) });

export const assets: ReadEndpoint<readonly ListedAsset[]> = {
  path: "/client/assets",
  fields: {},
  answer: mapped(answer, (body) =>
    body.assets.map((entry) => ({
      asset: entry.symbol,
      name: entry.name,
      blockchains: entry.blockchains?.map((chain) => ({ blockchain: chain.blockchain, active: chain.isactive })),
    })),
  ),
};
