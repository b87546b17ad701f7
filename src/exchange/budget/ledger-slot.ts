// A slot as its holder sees it: a lease in the ledger, ended exactly once.

import { invariant } from "../../domain/invariant.ts";
import { err, type Result } from "../../domain/result.ts";
import type { Nonce } from "../port.ts";
import type { Slot, SlotEnd } from "./budget.ts";
import type { KeyLedger, Lease } from "./key-ledger.ts";
import { describeLedgerError } from "./ledger-error.ts";

export class LedgerSlot implements Slot {
  readonly #ledger: KeyLedger;
  readonly #lease: Lease;
  readonly #hooks: { readonly beforeNonce: () => void; readonly ended: (end: SlotEnd) => void };
  #open = true;
  /** Ended over its holder's head: his own end, when it comes, says nothing new. */
  #forced = false;

  constructor(
    ledger: KeyLedger,
    lease: Lease,
    hooks: { readonly beforeNonce: () => void; readonly ended: (end: SlotEnd) => void },
  ) {
    this.#ledger = ledger;
    this.#lease = lease;
    this.#hooks = hooks;
  }

  nonce(): Result<Nonce> {
    if (!this.#open) return err("slot-ended: a nonce belongs to an open slot");
    try {
      return this.#ledger.urgently(() => {
        this.#hooks.beforeNonce();
        return this.#ledger.nonce(this.#lease);
      });
    } catch (error) {
      return err(describeLedgerError(error, this.#ledger.path));
    }
  }

  held(): boolean {
    if (!this.#open) return false;
    try {
      return this.#ledger.urgently(() => this.#ledger.beginSending(this.#lease));
    } catch {
      // Not provably ours means not ours: nothing is sent.
      return false;
    }
  }

  end(end: SlotEnd): void {
    if (this.#forced) return;
    invariant(this.#open, "a slot ends exactly once");
    this.#open = false;
    this.#hooks.ended(end);
  }

  /** For a budget that closes, and for a sender that lost track of its request. */
  endIfOpen(): void {
    if (!this.#open) return;
    this.end({ kind: "abandoned" });
    this.#forced = true;
  }
}
