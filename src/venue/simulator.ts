// The venue in a box for tests of other people's programs, known to users as "pegbot/simulator": a server on loopback with
// one account that is ready to trade, whose clock and ledger are in the test's hands.

import { systemClock } from "../app/system/system-clock.ts";
import { systemTimers } from "../app/system/system-timers.ts";
import { type Result, unwrap } from "../domain/result.ts";
import { generatePrivateKey, type KeySource, loadSigner } from "../exchange/key/load.ts";
import type { BalanceRow, MintRow, OrderRow, PostingRow, TradeRow } from "../simulator/core/record.ts";
import type { FaultsSetting } from "../simulator/fault.ts";
import { createSimulatorServer } from "../simulator/server.ts";
import { setUpAccount } from "../simulator/stage.ts";

export type SimulatedOptions = {
  /** A scenario, and single parameters: `["calm", "pegs.VCHF.deviationBps=20"]`; `demo` unless set. */
  readonly market?: string | readonly string[];
  readonly faults?: FaultsSetting["rules"];
  /** The same seed gives the same venue and prices; 1 unless set. */
  readonly seed?: number;
  readonly profile?: "contract" | "observed";
  /** What the account holds, by asset. */
  readonly funds?: Readonly<Record<string, string>>;
  /** Switches as in `pegbot simulator --set`. */
  readonly settings?: readonly string[];
  /** A free one unless set. */
  readonly port?: number;
};

export type SimulatedVenue = {
  /** Ends in /api/v1/. */
  readonly url: string;
  readonly portalUrl: string;
  /** Of the account, for `createVenue`; in memory alone. */
  readonly key: KeySource;
  readonly publicKey: string;
  readonly clock: {
    /** Settlement time of mints, rails and payments passes; prices and the pace of requests do not follow it. */
    advance(ms: number): Promise<void>;
  };
  /** The account as the venue keeps it, whatever its answers said. */
  readonly ledger: {
    balances(): readonly BalanceRow[];
    orders(): readonly OrderRow[];
    trades(): readonly TradeRow[];
    supplyChanges(asset: string): readonly MintRow[];
    postings(): readonly PostingRow[];
  };
  /** From the next request on these faults hold, and none before them. */
  setFaults(rules: FaultsSetting["rules"]): Promise<void>;
  /** Money arrives from outside. */
  credit(asset: string, amount: string): Promise<void>;
  close(): Promise<void>;
};

const FUNDS = { CHF: "100000", GBP: "100000", VCHF: "50000", VGBP: "50000" };

export async function startVenue(options: SimulatedOptions = {}): Promise<SimulatedVenue> {
  const { market = "demo", faults: rules = [], seed = 1, profile = "contract", funds = FUNDS, port = 0 } = options;
  const pem = generatePrivateKey("p256").toString("utf8");
  const key: KeySource = { kind: "environment", name: "SIMULATED_KEY", value: pem };
  const signer = unwrap(await loadSigner(key, { curve: undefined, publicKey: undefined }));
  const { publicKey } = signer;
  signer.close();
  const clocks = { clock: systemClock, timers: systemTimers };
  const what = { seed, profile, port, scenario: [market].flat(), switches: options.settings ?? [], faults: { rules } };
  const { writer, act, ...server } = await createSimulatorServer({ ...clocks, ...what });
  const done = async (answer: Promise<Result<unknown, { readonly message: string }>>): Promise<void> => {
    const answered = await answer;
    if (!answered.ok) throw new RangeError(answered.error.message);
  };
  try {
    unwrap(await setUpAccount(writer, publicKey, new Map(Object.entries(funds))));
  } catch (error) {
    await server.close();
    throw error;
  }
  const { venue } = writer;
  return {
    url: server.baseUrl,
    portalUrl: server.portalUrl,
    key,
    publicKey,
    clock: { advance: async (ms) => void (await writer.advance(ms)) },
    ledger: {
      balances: () => unwrap(venue.balances(publicKey, writer.moment())),
      orders: () => unwrap(venue.orders(publicKey, writer.moment())),
      trades: () => unwrap(venue.trades(publicKey, writer.moment())),
      supplyChanges: (asset) => unwrap(venue.supplyChanges(publicKey, { asset }, writer.moment())),
      postings: () => venue.ledger(publicKey),
    },
    setFaults: (next) => done(act("faults", { rules: next })),
    credit: (asset, amount) => done(act("credits", { publicKey, asset, amount })),
    close: server.close,
  };
}
