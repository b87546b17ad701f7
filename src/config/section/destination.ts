// Our list of allowed destinations. A command or a template names an entry; any other address is refused, whatever the
// venue has whitelisted.

import { z } from "zod";
import { matching } from "../text.ts";

const NAME = "must be a name of 1 to 40 of a-z, 0-9 and -";
const CHAIN = "must be a chain code: 2 to 20 of A-Z and 0-9";
const WORD = "must be a text of 4 to 200 characters without blanks";

export const entryName = matching(/^[a-z0-9][a-z0-9-]{0,39}$/, NAME, "a name of ours");
export const chainCode = matching(/^[A-Z0-9]{2,20}$/, CHAIN, "chain code of the venue, ETH for example");
const word = (about: string) => matching(/^[\x21-\x7e]{4,200}$/, WORD, about);

const wallet = z.strictObject({
  kind: z.literal("wallet").describe("a wallet on a chain"),
  chain: chainCode,
  address: word("address, to the letter"),
  label: z
    .string({ error: "must be a text" })
    .min(1)
    .max(100)
    .optional()
    .describe("its label at the venue, to the letter"),
});

const bank = z.strictObject({
  kind: z.literal("bank").describe("a bank account"),
  account: word("identifier of the account, an IBAN without blanks for example"),
});

export const destinationsSchema = z.record(
  entryName,
  z.discriminatedUnion("kind", [wallet, bank], { error: "must be a wallet or a bank, named by kind" }),
  { error: "must be a mapping from names to wallets and bank accounts" },
);
