// Who may ask what of the running bot. A page of any site can make a browser send requests to this machine, so the address
// that was asked for and the page that asks are checked before anything else; an action also needs the token.

import type { IncomingHttpHeaders } from "node:http";
import { tokenCheck } from "../../domain/bearer-token.ts";

export type Denial = { readonly status: 401 | 403; readonly message: string };

export type Gatekeeper = {
  /** The request came to us by a name that is ours, and from none but our own page. */
  admit(headers: IncomingHttpHeaders): Denial | undefined;
  /** Forwarded by a proxy: then the request does not come from this machine. */
  isHandedOn(headers: IncomingHttpHeaders): boolean;
  /** It carries the token. */
  authorise(headers: IncomingHttpHeaders): Denial | undefined;
};

export type Address = {
  readonly scheme: "http" | "https";
  readonly host: string;
  /** As it is listened on: `localhost:8788` is another program. */
  readonly port: number;
  /** By which other machines ask for it; none on loopback. */
  readonly names?: readonly string[] | undefined;
};

/** What proxies add to a request by default. */
const HANDED_ON = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
] as const;

/** A browser leaves out the port that the scheme implies. */
const IMPLIED_PORT = { http: 80, https: 443 } as const;

export function createGatekeeper({ scheme, host, port, names = [] }: Address, token: string): Gatekeeper {
  const all = [...new Set([bracketed(host), "127.0.0.1", "localhost", "[::1]", ...names.map(lower)])];
  const isImplied = port === IMPLIED_PORT[scheme];
  const hosts = new Set(all.flatMap((name) => (isImplied ? [name, `${name}:${port}`] : [`${name}:${port}`])));
  const origins = new Set([...hosts].map((name) => `${scheme}://${name}`));
  const flawOf = tokenCheck(token);
  return {
    admit(headers) {
      if (!hosts.has(lower(headers.host ?? "")))
        return { status: 403, message: "host must be a name of this machine with this port" };
      if (headers.origin !== undefined && !origins.has(lower(headers.origin)))
        return { status: 403, message: "origin must be the bot's own page" };
      // What another site's page asks for without an origin (an image, a script); a link that a person follows is none.
      const site = headers["sec-fetch-site"];
      const isOurs = site === undefined || site === "same-origin" || site === "none";
      if (!isOurs && headers["sec-fetch-mode"] !== "navigate")
        return { status: 403, message: "origin must be the bot's own page" };
      return undefined;
    },
    isHandedOn: (headers) => HANDED_ON.some((name) => headers[name] !== undefined),
    authorise({ authorization }) {
      const flaw = flawOf(authorization);
      if (flaw === undefined) return undefined;
      const what = flaw === "missing" ? "a bearer token is needed" : "the token is wrong";
      return { status: 401, message: `${what}: it is in the .token file beside the journal` };
    },
  };
}

function lower(name: string): string {
  return name.toLowerCase();
}

function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}
