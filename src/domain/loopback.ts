// Addresses that never leave this machine.

import { isIPv4 } from "node:net";

/** Takes a host as written or in URL form (`[::1]`). */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || (isIPv4(host) && host.startsWith("127."));
}
