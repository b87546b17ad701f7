// Who can reach the server: only this machine, unless it has a certificate with its key and host names. Who may look
// without a token is one setting, `server.reads`; whatever acts always needs one.

import { isLoopback } from "./loopback.ts";

export type Exposure = {
  readonly host: string;
  /** `open` unless set on a loopback address, `token` on every other one. */
  readonly reads?: "open" | "token" | undefined;
  /** Both in PEM. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** The host names that other machines use, without a port. */
  readonly names?: readonly string[] | undefined;
};

type Wish = Omit<Exposure, "tls"> & { readonly tls?: unknown };

/** Why the server must not start. */
export function exposureProblem({ host, reads, tls, names = [] }: Wish): string | undefined {
  if (isLoopback(host)) return undefined;
  const missing = [
    ...(reads === "open" ? ["server.reads: token"] : []),
    ...(tls === undefined ? ["server.tls with a certificate and its key"] : []),
    ...(names.length === 0 ? ["server.names with what it is called there"] : []),
  ];
  if (missing.length === 0) return undefined;
  return `server.host must be a loopback address, was ${host}: to let other machines in it also needs ${missing.join(" and ")}`;
}

export function needsTokenToLook({ host, reads }: Pick<Exposure, "host" | "reads">): boolean {
  return (reads ?? (isLoopback(host) ? "open" : "token")) === "token";
}
