// The life of one request on the wire, from the gate to the last byte of its answer: it ends exactly once, as not sent,
// as broken, or as an answer within the limits.

import type { Clock, Millis, Timers } from "../domain/time.ts";
import { foreignCharset, type HeaderValues, headerText, retryAfterMs, venueDate } from "./answer-headers.ts";
import { watchForGap } from "./gap-watch.ts";
import { jsonLimits } from "./json.ts";
import { LinkFailure } from "./link.ts";

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
  /** Bytes left, and no complete and acceptable answer came back. */
  | { readonly kind: "broken"; readonly code: string; readonly message: string; readonly status: number | undefined }
  | { readonly kind: "answer"; readonly answer: Answer };

export type AttemptLimits = {
  /** From the write. */
  readonly firstByteMsMax: number;
  readonly answerMsMax: number;
};

type Controller = { abort(reason: Error): void };

/** Has the shape of the HTTP library's handler. */
export class Attempt {
  private readonly gate: () => string | undefined;
  private readonly clock: Clock;
  private readonly timers: Timers;
  private readonly limits: AttemptLimits;
  private readonly done: (observation: Observation) => void;
  private readonly chunks: Uint8Array[] = [];
  private size = 0;
  private sent = false;
  private ended = false;
  private head: { status: number; headers: HeaderValues } | undefined;
  private controller: Controller | undefined;
  private cancelFirstByte = nothing;
  private cancelRest: readonly (() => void)[] = [];

  constructor(
    gate: () => string | undefined,
    time: { readonly clock: Clock; readonly timers: Timers },
    limits: AttemptLimits,
    done: (observation: Observation) => void,
  ) {
    this.gate = gate;
    this.clock = time.clock;
    this.timers = time.timers;
    this.limits = limits;
    this.done = done;
  }

  /** Runs on an open connection; the library writes the request when this returns, in the same tick. */
  onRequestStart(controller: Controller): void {
    this.controller = controller;
    if (this.sent || this.ended) {
      controller.abort(new Error("a request is written once"));
      return;
    }
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
    const refusal = this.refusal();
    if (refusal === undefined) {
      this.sent = true;
      return;
    }
    this.end({ kind: "not-sent", code: "refused", message: refusal });
    controller.abort(new Error("refused at the last check"));
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
    else if (Number(headerText(headers, "content-length") ?? 0) > jsonLimits.bytes) this.tooLarge();
  }

  onResponseData(_controller: Controller, chunk: Uint8Array): void {
    if (this.ended) return;
    this.size += chunk.length;
    if (this.size > jsonLimits.bytes) this.tooLarge();
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    // Bytes that follow the answer are looked at before it is believed: they are parsed later in this same tick.
    queueMicrotask(() => this.complete());
  }

  onResponseError(_controller: Controller, error: Error): void {
    if (this.sent) this.end({ kind: "broken", ...this.broken(error), status: this.head?.status });
    else if (error instanceof LinkFailure) this.end({ kind: "not-sent", code: error.code, message: error.message });
    else if (codeOf(error) === "UND_ERR_INVALID_ARG")
      this.end({ kind: "not-sent", code: "invalid", message: "a header or the path has characters that HTTP forbids" });
    else this.end({ kind: "not-sent", code: "connect", message: `the connection failed (${codeOf(error)})` });
  }

  private refusal(): string | undefined {
    try {
      return this.gate();
    } catch (error) {
      return `the last check failed: ${error instanceof Error ? error.message : "unknown error"}`;
    }
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
    this.abandon("too-large", `the answer must be at most ${jsonLimits.bytes} bytes`);
  }

  private abandon(code: string, message: string): void {
    if (this.ended) return;
    this.end({ kind: "broken", code, message, status: this.head?.status });
    this.controller?.abort(new Error(code));
  }

  private broken(error: Error): { code: string; message: string } {
    const code = codeOf(error);
    if (code.startsWith("HPE_")) return { code: "not-http", message: `the answer is not HTTP (${code})` };
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

function codeOf(error: Error): string {
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" ? code : "unknown";
}
