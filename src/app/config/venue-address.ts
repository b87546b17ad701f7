// The address of a configuration's venue, or a failure that says why it cannot be used.

import { environment } from "../../config/environment.ts";
import type { Config } from "../../config/schema.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import { isLoopback } from "../../domain/loopback.ts";
import { unwrap } from "../../domain/result.ts";
import { parseBaseUrl } from "../../exchange/base-url.ts";
import { refuseTimeScale } from "../system/time-scale.ts";

export function venueAddress({ venue, mode }: Pick<Config, "venue" | "mode">): URL {
  // A shadow of a venue on this machine is a test.
  const isHere = mode === "shadow" && venue.baseUrl !== undefined && isLoopback(new URL(venue.baseUrl).hostname);
  refuseTimeScale(isHere ? "paper" : mode);
  if (environment().NODE_TLS_REJECT_UNAUTHORIZED === "0" && mode !== "paper")
    throw usageFailure(
      "NODE_TLS_REJECT_UNAUTHORIZED=0 must not be set in live or shadow mode: certificates are always checked",
      "unset it",
    );
  if (venue.baseUrl === undefined)
    throw usageFailure(
      "there is no venue to ask: venue.baseUrl is missing, and a simulator of the bot's own answers only while the bot runs",
      "start the bot; or start a venue with `pegbot simulator --key …` and set venue.baseUrl to http://127.0.0.1:8700/api/v1/",
    );
  return unwrap(parseBaseUrl(venue.baseUrl));
}
