// Our own list of places that may be sent to. A command or a template names an entry; an address that is not here is refused
// whatever the venue has whitelisted.

import { z } from "zod";

const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;
const CHAIN = /^[A-Z0-9]{2,20}$/;
const WORD = /^[\x21-\x7e]{4,200}$/;

export const entryName = z
  .string()
  .regex(NAME, { error: "must be a name of 1 to 40 of a-z, 0-9 and -" })
  .describe("a name of ours");

export const chainCode = z
  .string({ error: "must be a chain code" })
  .regex(CHAIN, { error: "must be a chain code: 2 to 20 of A-Z and 0-9" })
  .describe("chain code of the venue, ETH for example");

const word = (about: string) => {
  const error = "must be a text of 4 to 200 characters without blanks";
  return z.string({ error }).regex(WORD, { error }).describe(about);
};

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
