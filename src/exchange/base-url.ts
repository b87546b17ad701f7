// The base address of the venue: every path of the interface is relative to an address that ends in /api/v1/, and
// nothing else is accepted as one.

import { err, ok, type Result } from "../domain/result.ts";

export function parseBaseUrl(text: string): Result<URL> {
  const url = URL.parse(text);
  if (url === null) return err(`base address must be a URL, was ${JSON.stringify(text.slice(0, 200))}`);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return err(`base address must begin with https: or http:, was ${url.protocol}`);
  if (url.username !== "" || url.password !== "") return err("base address must not carry a user or password");
  if (url.search !== "" || url.hash !== "") return err("base address must not have a query or fragment");
  if (!url.pathname.endsWith("/api/v1/")) return err(`base address must end in /api/v1/, was ${url.pathname}`);
  return ok(url);
}
