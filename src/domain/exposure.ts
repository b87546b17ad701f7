// Who can reach the server. This machine only, unless three things are given by name: the wish, a certificate with its key, and
// the names it is asked for by. The token is there in any case, and is then needed for everything that shows something.

import { isLoopback } from "./loopback.ts";

export type Exposure = {
  readonly host: string;
  /** `server.exposed`: somebody wants other machines to reach it, or nobody to look without the token. */
  readonly exposed?: boolean | undefined;
  /** Both PEM. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** What other machines call it, without a port. */
  readonly names?: readonly string[] | undefined;
};

type Wish = Omit<Exposure, "tls"> & { readonly tls?: unknown };

/** Why it must not start. */
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

/** Whether who only looks needs the token too: others than the users of this machine can ask, or those are not to see it. */
export function needsTokenToLook({ host, exposed = false }: Exposure): boolean {
  return exposed || !isLoopback(host);
}
