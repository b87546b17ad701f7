// POST /private/queryPaymentRails: the rails of the account, by railid. Fields beside those of a registration are not
// in the contract.

import type { Rail } from "../../domain/rail.ts";
import { list, mapped, prose, type Read, record, word } from "../shape.ts";
import type { ReadEndpoint } from "./endpoint.ts";

const row = record({ railid: word, status: word, reason: prose });

const answer = record({ rails: list(row) }, { paymentrails: "rails" });

export const queryPaymentRails: ReadEndpoint<readonly Rail[]> = {
  path: "/private/queryPaymentRails",
  fields: {},
  answer: mapped(answer, (body) => body.rails.map(railOf)),
};

function railOf(entry: Read<typeof row>): Rail {
  return { railId: entry.railid, status: entry.status, reason: entry.reason };
}
