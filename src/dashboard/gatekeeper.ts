// Who may ask what of the running bot. A page of any site can make a browser send requests to this machine, so the address
// that was asked for and the page that asks are checked before anything else; whoever wants to act also needs the token.

import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export type Denial = { readonly status: 401 | 403; readonly message: string };

export type Gatekeeper = {
  /** The request came to us by a name of this machine, and from none but our own page. */
  admit(headers: IncomingHttpHeaders): Denial | undefined;
  /** It carries the token. */
  authorise(headers: IncomingHttpHeaders): Denial | undefined;
};

/** `port` as it is listened on: `localhost:8788` is another program. */
export function createGatekeeper(host: string, port: number, token: string): Gatekeeper {
  const names = [...new Set([bracketed(host), "127.0.0.1", "localhost", "[::1]"])];
  // A browser leaves out the port that the scheme implies.
  const hosts = new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])));
  const origins = new Set([...hosts].map((name) => `http://${name}`));
  const expected = digest(token);
  return {
    admit(headers) {
      if (!hosts.has((headers.host ?? "").toLowerCase()))
        return { status: 403, message: "host must be a name of this machine with this port" };
      if (headers.origin !== undefined && !origins.has(headers.origin.toLowerCase()))
        return { status: 403, message: "origin must be the bot's own page" };
      return undefined;
    },
    authorise({ authorization }) {
      const given = /^Bearer ([!-~]{1,256})$/i.exec(authorization ?? "")?.[1];
      // Digests have one length, and comparing them takes one time, whatever was given.
      if (given !== undefined && timingSafeEqual(digest(given), expected)) return undefined;
      return { status: 401, message: "a bearer token is needed: it is in the .token file beside the journal" };
    },
  };
}

function digest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}
