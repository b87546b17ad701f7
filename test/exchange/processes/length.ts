// The suite runs these tests short; `npm run campaign processes` sets PEGBOT_LONG for their full length and real time-outs.

export const isLong = process.env.PEGBOT_LONG !== undefined;

export const fleetRequests = isLong ? 60 : 10;

export const faults = isLong ? 40 : 20;

/** Printed by every randomised test; PEGBOT_SEED runs the same one again. */
export const seed = Number(process.env.PEGBOT_SEED ?? Date.now() % 1_000_000_007);
