// A user's program on the library, for tests that kill it: `caller.ts trade|settle|open URL`, in the folder of a stage.

import { createVenue, fileKey, VenueError } from "../../../src/venue/venue.ts";

const [task, url = ""] = process.argv.slice(2);
const say = (one: unknown): void => void process.stdout.write(`${JSON.stringify(one)}\n`);

try {
  const venue = await createVenue({ url, key: fileKey("keys/key.pem"), state: "data" });
  while (task === "trade") {
    for (const one of venue.unsettled()) say(await venue.settle(one));
    say(await venue.order({ symbol: "VCHF/CHF", side: "buy", quantity: "10", limit: "1.004" }));
  }
  if (task === "settle") for (const one of venue.unsettled()) say(await venue.settle(one));
  say({ unsettled: venue.unsettled() });
  await venue.close();
} catch (error) {
  if (!(error instanceof VenueError)) throw error;
  say({ code: error.code, message: error.message });
}
