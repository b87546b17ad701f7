// `doctor` and `rehearse` are one list of checks in one order. Each names what it needs; where an earlier check could not bring that
// about it is skipped by name. A check returns findings and adds to what is known of the venue.

import { type Finding, type Report, skipped } from "../../app/finding.ts";
import type { Tuning } from "../../app/key/join-budget.ts";
import type { VenueLine } from "../../app/key/open-exchange.ts";
import type { Shell } from "../../app/shell.ts";
import type { Prompts } from "../../app/terminal/prompts.ts";
import type { Config } from "../../config/schema.ts";
import type { Balance } from "../../domain/balance.ts";
import type { Instrument } from "../../domain/instrument.ts";
import type { Signer } from "../../exchange/key/signer.ts";
import type { ListedAsset, Reading } from "../../exchange/port.ts";
import type { Profile } from "../../exchange/profile.ts";
import type { Shape } from "../../exchange/shape.ts";

/** In the order in which they are had. */
type Need = "key" | "venue" | "answers" | "signature";

export type Check = {
  readonly name: string;
  readonly needs?: Need;
  run(contact: Contact): Promise<readonly Finding[]> | readonly Finding[];
};

export type ContactOptions = {
  /** Other forms of the signature may be tried without a question. */
  readonly trySignatures?: boolean;
  readonly sendNotice?: boolean;
  /** The checklist from shadow to live, instead. */
  readonly live?: boolean;
  /** Of the profile to write. */
  readonly profile?: string;
  /** Where a bot has the key it asks the venue. */
  readonly byOwner?: boolean;
};

export type Contact = {
  readonly shell: Shell;
  readonly config: Config;
  readonly prompts: Prompts;
  readonly options: ContactOptions;
  readonly report: Pick<Report, "add">;
  readonly tuning: Tuning;
  readonly has: Set<Need>;
  /** As configured, then as the venue was met. */
  profile: Profile;
  readonly shapes: Shape[];
  /** The last of each list, over the whole of a rehearsal. */
  readonly met: Map<string, Shape>;
  /** Our clock less the venue's Date. */
  skewMs?: number | undefined;
  /** From the slot of a read to its answer. */
  readonly tookMs: number[];
  signer?: Signer;
  line?: Pick<VenueLine, "speaking">;
  assets?: Reading<readonly ListedAsset[]>;
  pairs?: Reading<readonly Instrument[]>;
  balances?: Reading<readonly Balance[]>;
  readonly closing: (() => void)[];
};

const WITHOUT: Readonly<Record<Need, string>> = {
  key: "need a key",
  venue: "need a venue to ask",
  answers: "need a connection",
  signature: "need a signature that the venue takes",
};

/** Each later check needs what an earlier one does: the first that lacks it ends the list. */
export async function runChecks(checks: readonly Check[], contact: Contact): Promise<void> {
  let isSaid = false;
  for (const [place, { needs, run }] of checks.entries()) {
    if (needs !== undefined && !contact.has.has(needs)) {
      const left = checks.slice(place).map(({ name }) => name);
      if (!isSaid) contact.report.add(skipped("venue", `${left.join(", ")} ${WITHOUT[needs]}`));
      return;
    }
    const found = await run(contact);
    isSaid ||= found.some(({ verdict }) => verdict === "skipped");
    contact.report.add(...found);
  }
}
