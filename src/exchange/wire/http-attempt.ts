// One request on the wire, from the last check to the last byte of its answer. It ends exactly once: as not sent, as
// broken, or as an answer within the limits.

import { type Clock, type Millis, millis, type Timers } from "../../domain/time.ts";
import { ConnectionFailure } from "./connection.ts";

export type Answer = {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
  /** The venue's Date, to the second. */
  readonly at: Millis | undefined;
  readonly receivedAt: Millis;
  readonly retryAfterMs: number | undefined;
};

export type Observation =
  /** No byte of the request left this machine. */
  | { readonly kind: "not-sent"; readonly code: string; readonly message: string }
  /** Bytes left, and no complete and acceptable answer arrived. */
  | { readonly kind: "broken"; readonly code: string; readonly message: string; readonly status: number | undefined }
  | { readonly kind: "answer"; readonly answer: Answer };

export type HttpLimits = {
  /**
   * From the start of the last check to the write: far below the lease that the check starts, far above what a busy
   * machine needs.
   */
  readonly writeMsMax: number;
  /** Counted from the write. */
  readonly firstByteMsMax: number;
  readonly answerMsMax: number;
  readonly answerBytesMax: number;
};

/** The path from the HTTP library to the socket. */
export type Outlet = {
  /** The last check: a returned reason stops the request, with no byte sent. */
  gate(): string | undefined;
  /** From here on, the library's writes are held back in this process. */
  hold(): void;
  /** Sends everything held back, before it returns. */
  release(): void;
};

type Controller = { abort(reason: Error): void };

/** Implements the HTTP library's handler interface. */
export class HttpAttempt {
  private readonly outlet: Outlet;
  private readonly clock: Clock;
  private readonly timers: Timers;
  private readonly limits: HttpLimits;
  private readonly done: (observation: Observation) => void;
  private readonly chunks: Uint8Array[] = [];
  private size = 0;
  private begun = false;
  private sent = false;
  private ended = false;
  private head: { status: number; headers: HeaderValues } | undefined;
  private controller: Controller | undefined;
  private cancelFirstByte = nothing;
  private cancelRest: readonly (() => void)[] = [];

  constructor(
    outlet: Outlet,
    time: { readonly clock: Clock; readonly timers: Timers },
    limits: HttpLimits,
    done: (observation: Observation) => void,
  ) {
    this.outlet = outlet;
    this.clock = time.clock;
    this.timers = time.timers;
    this.limits = limits;
    this.done = done;
  }

  /** Called on an open connection; the library builds and writes the request when this returns, in the same tick. */
  onRequestStart(controller: Controller): void {
    this.controller = controller;
    if (this.begun || this.ended) {
      controller.abort(new Error("a request is written once"));
      return;
    }
    this.begun = true;
    const { firstByteMsMax, answerMsMax } = this.limits;
    this.cancelFirstByte = this.timers.after(firstByteMsMax, () =>
      this.abandon("timeout", `no answer within ${firstByteMsMax} ms`),
    );
    this.cancelRest = [
      this.timers.after(answerMsMax, () => this.abandon("timeout", `answer not complete within ${answerMsMax} ms`)),
      watchForGap(this.clock, this.timers, (gapMs) =>
        this.abandon("suspended", `the machine stood still for ${Math.round(gapMs)} ms during the request`),
      ),
    ];
    this.outlet.hold();
  }

  /**
   * The library has written, still in the same tick. The last check comes after all of the library's work, so that
   * almost nothing runs between the check and the socket.
   */
  onRequestSent(): void {
    if (this.sent || this.ended) return;
    const refusal = this.refusal();
    if (refusal === undefined) {
      this.sent = true;
      this.outlet.release();
      return;
    }
    this.end({ kind: "not-sent", ...refusal });
    this.controller?.abort(new Error("refused at the last check"));
  }

  onResponseStarted(): void {
    this.cancelFirstByte();
  }

  onResponseStart(_controller: Controller, status: number, headers: HeaderValues): void {
    this.head = { status, headers };
    const encoding = headerText(headers, "content-encoding");
    const charset = foreignCharset(headers);
    if (status < 200) this.abandon("unexpected-status", `status ${status} is not an answer`);
    else if (encoding !== undefined && encoding.toLowerCase() !== "identity")
      this.abandon("encoded", "the answer is compressed, which was not asked for");
    else if (charset !== undefined) this.abandon("wrong-charset", `the answer must be UTF-8, was ${charset}`);
    else if (Number(headerText(headers, "content-length") ?? 0) > this.limits.answerBytesMax) this.tooLarge();
  }

  onResponseData(_controller: Controller, chunk: Uint8Array): void {
    if (this.ended) return;
    this.size += chunk.length;
    if (this.size > this.limits.answerBytesMax) this.tooLarge();
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    // Bytes after the answer are checked before it is accepted: they are parsed later in this same tick.
    queueMicrotask(() => this.complete());
  }

  onResponseError(_controller: Controller, error: Error): void {
    if (this.sent) this.end({ kind: "broken", ...this.broken(error), status: this.head?.status });
    else if (error instanceof ConnectionFailure)
      this.end({ kind: "not-sent", code: error.code, message: error.message });
    else if (codeOf(error) === "UND_ERR_INVALID_ARG")
      this.end({ kind: "not-sent", code: "invalid", message: "a header or the path has characters that HTTP forbids" });
    else this.end({ kind: "not-sent", code: "connect", message: `the connection failed (${codeOf(error)})` });
  }

  /** The check is valid only now: a process that was suspended since must not send when it resumes. */
  private refusal(): { readonly code: string; readonly message: string } | undefined {
    const { clock } = this;
    const wall = clock.now();
    const mono = clock.monotonic();
    try {
      const reason = this.outlet.gate();
      if (reason !== undefined) return { code: "refused", message: reason };
    } catch (error) {
      const why = error instanceof Error ? error.message : "unknown error";
      return { code: "refused", message: `the last check failed: ${why}` };
    }
    const { writeMsMax } = this.limits;
    const tookMs = Math.max(clock.now() - wall, clock.monotonic() - mono);
    return tookMs > writeMsMax ? { code: "late", message: late(tookMs, writeMsMax) } : undefined;
  }

  private complete(): void {
    if (this.head === undefined) return;
    const { status, headers } = this.head;
    const receivedAt = this.clock.now();
    this.end({
      kind: "answer",
      answer: {
        status,
        contentType: headerText(headers, "content-type"),
        body: Buffer.concat(this.chunks),
        at: venueDate(headers),
        receivedAt,
        retryAfterMs: retryAfterMs(headers, receivedAt),
      },
    });
  }

  private tooLarge(): void {
    this.abandon("too-large", `the answer must be at most ${this.limits.answerBytesMax} bytes`);
  }

  private abandon(code: string, message: string): void {
    if (this.ended) return;
    this.end({ kind: "broken", code, message, status: this.head?.status });
    this.controller?.abort(new Error(code));
  }

  private broken(error: Error): { code: string; message: string } {
    const code = codeOf(error);
    if (error.name === "HTTPParserError")
      return { code: "not-http", message: `the answer is not HTTP (${error.message})` };
    if (code === "UND_ERR_HEADERS_OVERFLOW") return { code: "too-large", message: "the answer's headers are too long" };
    return this.head === undefined
      ? { code: "reset", message: `the connection broke before an answer (${code})` }
      : { code: "cut-off", message: `the connection broke inside the answer (${code})` };
  }

  private end(observation: Observation): void {
    if (this.ended) return;
    this.ended = true;
    this.cancelFirstByte();
    for (const cancel of this.cancelRest) cancel();
    this.done(observation);
  }
}

function nothing(): void {}

function late(tookMs: number, msMax: number): string {
  return `the write must follow the last check within ${msMax} ms, and would have come after ${Math.round(tookMs)}: this process stood still, and nothing was sent`;
}

function codeOf(error: Error): string {
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" ? code : "unknown";
}

export type HeaderValues = Readonly<Record<string, string | string[] | undefined>>;

const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;

function headerText(headers: HeaderValues, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

/** The venue's Date, to the second. */
function venueDate(headers: HeaderValues): Millis | undefined {
  return httpDate(headerText(headers, "date"));
}

/** Seconds or a date; anything else is ignored. The pacing decides how much of it is honoured. */
function retryAfterMs(headers: HeaderValues, now: Millis): number | undefined {
  const text = headerText(headers, "retry-after")?.trim();
  if (text === undefined) return undefined;
  const at = httpDate(text);
  const wait = at !== undefined ? at - (venueDate(headers) ?? now) : /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : -1;
  return wait < 0 ? undefined : wait;
}

/** Undefined if the answer states no charset, or UTF-8 or its subset ASCII. */
function foreignCharset(headers: HeaderValues): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headerText(headers, "content-type") ?? "")?.[1]?.toLowerCase();
  return charset === undefined || ["utf-8", "utf8", "us-ascii"].includes(charset) ? undefined : charset.slice(0, 40);
}

function httpDate(text: string | undefined): Millis | undefined {
  if (text === undefined || !HTTP_DATE.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : millis(at);
}

const TICK_MS = 1_000;
const GAP_MS_MAX = 5_000;

/** Calls back once when it sees a gap; the returned function ends the watch. */
function watchForGap(clock: Clock, timers: Timers, onGap: (gapMs: number) => void): () => void {
  let wall = clock.now();
  let mono = clock.monotonic();
  let cancel = timers.after(TICK_MS, tick);
  function tick(): void {
    const gap = Math.max(clock.now() - wall, clock.monotonic() - mono) - TICK_MS;
    if (gap > GAP_MS_MAX) {
      onGap(gap);
      return;
    }
    wall = clock.now();
    mono = clock.monotonic();
    cancel = timers.after(TICK_MS, tick);
  }
  return () => cancel();
}
