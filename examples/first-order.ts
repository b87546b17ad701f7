// A first order on a simulated venue that loses its answer: settled, and not sent again.
//
//     node examples/first-order.ts

import { mkdtempSync } from "node:fs";
import { startVenue } from "pegbot/simulator";
import { createVenue } from "pegbot/venue";

const simulator = await startVenue({ faults: [{ fault: "lost-answer", on: "addOrder" }] });
const venue = await createVenue({ url: simulator.url, key: simulator.key, state: mkdtempSync("state-") });
const sent = await venue.order({ symbol: "VCHF/CHF", side: "buy", quantity: "2500", limit: "1.0045" });
console.log(`the order is ${sent.kind}`);
const settled = await venue.settle(sent); // asks the histories; never sends again
if (settled.kind === "filled") console.log(`bought ${settled.fill.bought} VCHF for ${settled.fill.sold} CHF`);
console.log(`the venue has seen ${simulator.ledger.orders().length} order`);
await venue.close();
await simulator.close();
