// Runs every conformance case against every target: side by side where each case has a key of its own, else in
// sequence on the shared key.

import { afterAll, describe, test } from "vitest";
import { authenticationCases } from "./authentication.ts";
import { environment } from "./environment.ts";
import { limitCases } from "./limits.ts";
import { mintCases } from "./mints.ts";
import { orderCases } from "./orders.ts";
import { publicCases } from "./public.ts";
import { railCases } from "./rails.ts";
import { runCase } from "./suite.ts";
import { openTargets } from "./target.ts";

const targets = await openTargets(environment);
afterAll(async () => {
  await Promise.all(targets.map((target) => target.close()));
});

const cases = [...publicCases, ...authenticationCases, ...limitCases, ...orderCases, ...mintCases, ...railCases];

for (const target of targets) {
  const options = { concurrent: target.portalUrl !== undefined };
  describe(target.name, options, () => {
    for (const one of cases) {
      test(one.name, (context) => runCase(one, target, context));
    }
  });
}
