// Addresses that never leave the machine.

import { isIPv4 } from "node:net";

/** Takes a host as written or as a URL gives it (`[::1]`). */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || (isIPv4(host) && host.startsWith("127."));
}
