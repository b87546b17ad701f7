// A request as the service sees it, free of sockets: whoever carries the bytes (node:http, an in-memory network) makes
// one of these and takes a reply.

import type { Millis, Mono } from "../../domain/time.ts";

export type ApiRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case; a header that came twice is joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Undefined when it was larger than the limit. */
  readonly body: Buffer | undefined;
  readonly arrivedAt: Millis;
  readonly arrivedMono: Mono;
};

export const BODY_BYTES_MAX = 65_536;
