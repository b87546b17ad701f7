// Balances, prices and the newest trades. Reads need no journal. With VENUE_URL and VENUE_KEY (a PEM file) set it reads that
// venue, and a simulated one otherwise.
//
//     node examples/read-the-books.ts

import { startVenue } from "pegbot/simulator";
import { createVenue, fileKey, type Reading } from "pegbot/venue";

const { VENUE_URL, VENUE_KEY = "keys/test.pem" } = process.env;
const simulator = VENUE_URL === undefined ? await startVenue() : undefined;
const venue = await createVenue(
  simulator
    ? { url: simulator.url, key: simulator.key }
    : { url: VENUE_URL ?? "", key: fileKey(VENUE_KEY), environment: "test", profile: "observed" },
);

function required<T>(reading: Reading<T>): T {
  if (reading.kind === "read") return reading.value;
  throw new Error(`${reading.failure.code}: ${reading.failure.message}`);
}

for (const { asset, available, pending } of required(await venue.balances()))
  console.log(`${asset}: ${available} available, ${pending ?? "unknown"} pending`);
for (const { symbol, bid, ask } of required(await venue.quotes())) console.log(`${symbol}: ${bid} to ${ask}`);
for (const { side, bought, sold, fee } of required(await venue.trades()).slice(0, 5))
  console.log(`${side}: ${bought} ${bought.asset} for ${sold} ${sold.asset}, fee ${fee} ${fee.asset}`);
await venue.close();
await simulator?.close();
