// What `status` says: the status of a running bot, as far as journal, latch and ledger tell it from outside.

import type { Millis } from "../../../domain/time.ts";
import type { ShownHolding, ShownLeft, ShownLimit, ShownOffline, ShownWorth, Status } from "../../../watch/status.ts";

export type StatusReport = Omit<
  Status,
  "pid" | "startedAt" | "strategy" | "said" | "unready" | "quotes" | "offline" | "notes" | "feeds" | "unlogged"
> & {
  /** The running one, with where it was started and the address of its page. */
  readonly bot:
    | { readonly pid: number; readonly since: Millis; readonly folder: string; readonly page?: string | undefined }
    | undefined;
  /** Why it is not known whether a bot runs. */
  readonly botUnknown: string | undefined;
  /** The one that the key's bot and commands use, where this is another file. */
  readonly keyJournal: string | undefined;
  /** The journal is not all that its anchor knows: what is shown may be less than what happened. */
  readonly damage: { readonly verdict: string; readonly message: string; readonly wayOut: string } | undefined;
  /** What the running one says of itself. */
  readonly told: Told | undefined;
  /**
   * Equity as the journal last recorded it, where it opened a day or set a peak; a running bot knows a newer one. What was adopted
   * or paid in and out since is beside it: no gain, and money all the same.
   */
  readonly marked: { readonly equity: string; readonly at: Millis; readonly adopted?: string | undefined } | undefined;
  /** Gone from one asset and not arrived in another. */
  readonly flights: readonly ShownFlight[];
  /** May have happened, and nobody looks for it while no bot runs. */
  readonly unwatched: readonly string[];
  /** What evidence did not decide: the commands by which a person does. */
  readonly toClose: readonly string[];
  /** When the last record was written. */
  readonly recordedAt: Millis | undefined;
};

/** `unready`: why it is not ready to trade; none when it is. */
export type Told =
  | {
      readonly kind: "told";
      readonly at: Millis;
      readonly unready: readonly string[];
      readonly troubles: readonly { readonly feed: string; readonly trouble: string }[];
      readonly frozen: string | undefined;
      readonly balancesAgreeSince?: Status["balancesAgreeSince"];
      /** Why its log is lost. */
      readonly unlogged?: string | undefined;
      readonly offline: readonly ShownOffline[];
      /** The strategy's own last word. */
      readonly said: Status["said"];
      readonly equity: string | undefined;
      /** Its change since the UTC day opened. */
      readonly today?: string | undefined;
      readonly left: readonly ShownLeft[];
      /** Plans that are not begun, and what one that was approved waits for. */
      readonly plans: readonly { readonly id: string; readonly waitsFor?: string | undefined }[];
      /** The plan that it carries out, and what that waits for. */
      readonly underWay?: { readonly id: string; readonly waitsFor?: string | undefined } | undefined;
      /** What needs prices; it stands in its places of the report, and not here. */
      readonly priced?: Priced | undefined;
    }
  | { readonly kind: "silent"; readonly why: string };

type PricedHolding = {
  readonly asset: string;
  readonly held?: ShownHolding["held"];
  readonly value?: ShownHolding["value"];
};
type PricedLimit = Pick<ShownLimit, "rule" | "name" | "unit"> & {
  readonly key: string;
  readonly used?: ShownLimit["used"];
  readonly limit?: ShownLimit["limit"];
  readonly usedBps?: ShownLimit["usedBps"];
};

/** As the running bot has it at that moment. */
export type Priced = {
  readonly unrealised?: string | undefined;
  readonly worth?: ShownWorth | undefined;
  readonly holdings: readonly PricedHolding[];
  readonly limits: readonly PricedLimit[];
};

export type ShownFlight = {
  readonly id: string;
  readonly door: string;
  readonly spent: string;
  readonly comes: string;
  readonly since: Millis;
  readonly ageMs: number;
  /** The venue's word, and why. */
  readonly status: string | undefined;
  readonly reason: string | undefined;
  /** What counts of it in a cautious figure. */
  readonly cautious: string;
};
