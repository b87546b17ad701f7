// The last requests that the server received, so that people and tests can see a client's actual behaviour. A ring
// buffer: the oldest are dropped.

import type { Millis, Mono } from "../../domain/time.ts";

export type SeenRequest = {
  readonly publicKey: string | undefined;
  readonly arrivedAt: Millis;
  readonly arrivedMono: Mono;
  readonly method: string;
  readonly path: string;
  readonly nonce: string | undefined;
  /** SHA-256 of the body in hexadecimal; it shows whether the same request came twice. */
  readonly digest: string | undefined;
  /** The HTTP status of the answer, and its error code or `ok`; undefined before the answer. */
  status: number | undefined;
  outcome: string;
};

const KEPT_MAX = 20_000;

export class RequestLog {
  private readonly ring: SeenRequest[] = [];
  private next = 0;

  add(request: SeenRequest): SeenRequest {
    if (this.ring.length < KEPT_MAX) this.ring.push(request);
    else this.ring[this.next] = request;
    this.next = (this.next + 1) % KEPT_MAX;
    return request;
  }

  /** Oldest first. */
  of(publicKey: string | undefined): readonly SeenRequest[] {
    const start = this.ring.length < KEPT_MAX ? 0 : this.next;
    const ordered = [...this.ring.slice(start), ...this.ring.slice(0, start)];
    return publicKey === undefined ? ordered : ordered.filter((one) => one.publicKey === publicKey);
  }
}
