// The venue's base address. All paths are relative to an address that ends in /api/v1/; any other address is refused.
// The error states only the rule, because the address may contain a password.

import { isLoopback } from "../domain/loopback.ts";
import { err, ok, type Result } from "../domain/result.ts";

const ENDING = "/api/v1/";

export function parseBaseUrl(text: string): Result<URL> {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return err("must be an http or https address");
  if (url.username !== "" || url.password !== "") return err("must not hold a user name or a password");
  // The text is checked too: an empty query or fragment does not show in the parsed address.
  if (url.search !== "" || url.hash !== "" || !url.pathname.endsWith(ENDING) || !text.endsWith(ENDING))
    return err(`must end in ${ENDING}`);
  if (url.protocol === "http:" && !isLoopback(url.hostname)) return err("must be https, except on loopback");
  return ok(url);
}
