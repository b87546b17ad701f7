// Who can reach the server: only this machine, unless three settings are given: `exposed`, a certificate with its key,
// and the host names. The token always exists, and is then required for every view.

import { isLoopback } from "./loopback.ts";

export type Exposure = {
  readonly host: string;
  /** `server.exposed`: other machines may connect, or local users need the token as well. */
  readonly exposed?: boolean | undefined;
  /** Both in PEM. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** The host names that other machines use, without a port. */
  readonly names?: readonly string[] | undefined;
};

type Wish = Omit<Exposure, "tls"> & { readonly tls?: unknown };

/** Why the server must not start. */
export function exposureProblem({ host, exposed = false, tls, names = [] }: Wish): string | undefined {
  if (isLoopback(host)) return undefined;
  const missing = [
    ...(exposed ? [] : ["server.exposed: true"]),
    ...(tls === undefined ? ["server.tls with a certificate and its key"] : []),
    ...(names.length === 0 ? ["server.names with what it is called there"] : []),
  ];
  if (missing.length === 0) return undefined;
  return `server.host must be a loopback address, was ${host}: to let other machines in it also needs ${missing.join(" and ")}`;
}

/** Whether viewing needs the token, too: other machines can connect, or local users must not see it without one. */
export function needsTokenToLook({ host, exposed = false }: Exposure): boolean {
  return exposed || !isLoopback(host);
}
