// One process that uses a key: the product's client, ledger and signature, asking for what its role says until SIGTERM.
// What it has done goes to stdout, one JSON object per line.

import { systemClock } from "../../../src/app/system/system-clock.ts";
import { systemTimers } from "../../../src/app/system/system-timers.ts";
import { openBudget } from "../../../src/exchange/budget/budget.ts";
import { systemHostClock } from "../../../src/exchange/budget/host-clock.ts";
import { createExchange } from "../../../src/exchange/client.ts";
import { presets } from "../../../src/exchange/profile.ts";
import { createTransport, type Transport, transportDefaults } from "../../../src/exchange/wire/transport.ts";
import { mint, paying, rail, testSigner } from "../../support/wire.ts";
import type { DriverSettings } from "./drivers.ts";

const settings: DriverSettings = JSON.parse(process.argv[2] ?? "{}");
const machine = { clock: systemClock, host: systemHostClock(), timers: systemTimers };
const { pacing = {} } = settings;
const opened = await openBudget({
  place: { stateFolder: settings.stateFolder, fingerprint: settings.fingerprint },
  machine,
  pacing,
});
if (!opened.ok) {
  say({ kind: "refused", reason: opened.error });
  process.exit(1);
}
const budget = opened.value;
let sent = 0;
let answered = 0;
const base = new URL(`http://127.0.0.1:${settings.port}/api/v1/`);
const exchange = createExchange({
  clock: systemClock,
  budget,
  transport: counted(createTransport(base, machine, { ...transportDefaults, reach: "loopback" })),
  signer: testSigner(),
  profile: presets.contract,
  userAgent: `${settings.role}-${process.pid}`,
  priceDecimals: 6,
});

const roles: Readonly<Record<DriverSettings["role"], () => Promise<{ kind: string }>>> = {
  balances: () => exchange.balances({ class: "balance" }),
  mint: () => exchange.mintTokens(mint, paying({ class: "treasury" })),
  rail: () => exchange.addPaymentRail(rail, paying({ class: "other" })),
};

let stopping = false;
process.on("SIGTERM", () => {
  stopping = true;
});
say({ kind: "ready" });
const outcomes: Record<string, number> = {};
while (!stopping) {
  const outcome = await roles[settings.role]();
  outcomes[outcome.kind] = (outcomes[outcome.kind] ?? 0) + 1;
  if (outcome.kind !== "read" && outcome.kind !== "accepted") say(outcome);
}
budget.close();
exchange.close();
say({ kind: "end", sent, answered, outcomes });
process.exit(0);

function counted(transport: Transport): Transport {
  return {
    ...transport,
    async send(request) {
      const observation = await transport.send(request);
      if (observation.kind !== "not-sent") sent += 1;
      if (observation.kind === "answer") answered += 1;
      return observation;
    },
  };
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
