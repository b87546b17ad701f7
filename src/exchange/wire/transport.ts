// The wire: one request in flight, written at most once. The gate runs as the last statement before the write, on an
// established connection that holds back the whole request, so that "no byte left" is certain. No redirects and no
// retries; a request that moves money never shares a connection.

import type { Socket } from "node:net";
import { Client } from "undici";
import type { Clock, Timers } from "../../domain/time.ts";
import { ConnectionFailure, type ConnectionSettings, openConnection } from "./connection.ts";
import { HttpAttempt, type HttpLimits, type Observation } from "./http-attempt.ts";
import { jsonLimits, listLimits } from "./json.ts";

export type WireRequest = {
  readonly method: "GET" | "POST";
  /** Relative to the base address, with a leading slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Uses a new connection; always set if money moves. */
  readonly fresh: boolean;
  /** The last check: a returned reason stops the request, with no byte sent. */
  readonly gate: () => string | undefined;
};

type WireTimes = Omit<HttpLimits, "answerBytesMax">;

export type TransportSettings = ConnectionSettings & WireTimes;

export const transportDefaults = {
  connectMsMax: 5_000,
  writeMsMax: 5_000,
  firstByteMsMax: 15_000,
  answerMsMax: 20_000,
} as const;

/** Answers to requests that move money, which use a fresh connection, are short; a list may be long. */
export function attemptLimits(times: WireTimes, fresh: boolean): HttpLimits {
  return { ...times, answerBytesMax: (fresh ? jsonLimits : listLimits).bytes };
}

/** A connection that was idle for longer is not reused: the other side, or a sleep, may have closed it. */
const IDLE_MS_MAX = 4_000;

export interface Transport {
  /** Host and port, for records. */
  readonly host: string;
  send(request: WireRequest): Promise<Observation>;
  close(): void;
}

type Time = { readonly clock: Clock; readonly timers: Timers };

export function createTransport(base: URL, time: Time, settings: TransportSettings): Transport {
  let kept: Line | undefined;
  let busy = false;
  const newLine = (): Line => new Line(base, time, settings);

  async function exchanged(request: WireRequest): Promise<Observation> {
    const reused = !request.fresh && kept?.fit() ? kept : undefined;
    if (reused === undefined) kept?.drop();
    kept = undefined;
    let line = reused ?? newLine();
    let observation = await line.exchange(request);
    if (reused !== undefined && observation.kind === "not-sent" && observation.code === "connect") {
      // The kept connection had closed. No byte left, so using a new one is not a retry.
      line.drop();
      line = newLine();
      observation = await line.exchange(request);
    }
    if (observation.kind === "answer" && !request.fresh && line.fit()) kept = line;
    else line.drop();
    return observation;
  }

  return {
    host: base.host,
    async send(request) {
      // After a suspension, this process may get a slot while its old request is still in flight; the new one is then
      // refused.
      if (busy) return { kind: "not-sent", code: "busy", message: "the request before has not ended" };
      busy = true;
      try {
        return await exchanged(request);
      } finally {
        busy = false;
      }
    },
    close() {
      kept?.drop();
      kept = undefined;
    },
  };
}

/** One connection and its requests, one after the other. */
class Line {
  private readonly client: Client;
  private readonly prefix: string;
  private readonly time: Time;
  private readonly times: WireTimes;
  private socket: Socket | undefined;
  private quietSince: { readonly wall: number; readonly mono: number } | undefined;

  constructor(base: URL, time: Time, settings: TransportSettings) {
    this.prefix = base.pathname.slice(0, -1);
    this.time = time;
    this.times = settings;
    let opening = false;
    this.client = new Client(base.origin, {
      connect: (_options, callback) => {
        if (opening) {
          // The library would reconnect automatically; a line is exactly one connection.
          callback(new ConnectionFailure("connect", "the connection closed before the request"), null);
          return;
        }
        opening = true;
        openConnection(base, time.timers, settings).then(
          (socket) => {
            this.socket = socket;
            callback(null, socket);
          },
          (error: Error) => callback(error, null),
        );
      },
      pipelining: 1,
      keepAliveTimeout: IDLE_MS_MAX,
      keepAliveMaxTimeout: IDLE_MS_MAX,
      // HttpAttempt enforces the time-outs, on injected timers.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  exchange({ method, path, headers, body, gate, fresh }: WireRequest): Promise<Observation> {
    return new Promise((resolve) => {
      // A corked socket holds writes until it is uncorked, and discards them when it is destroyed.
      const outlet = { gate, hold: () => this.socket?.cork(), release: () => this.socket?.uncork() };
      const attempt = new HttpAttempt(outlet, this.time, attemptLimits(this.times, fresh), (observation) => {
        this.quietSince = { wall: this.time.clock.now(), mono: this.time.clock.monotonic() };
        resolve(observation.kind === "answer" && this.overfed() ? twoAnswers : observation);
      });
      this.client.dispatch({ method, path: this.prefix + path, headers, body: body ?? null }, attempt);
    });
  }

  /** Whether the next read may use the connection. */
  fit(): boolean {
    if (this.socket === undefined || this.socket.destroyed || this.quietSince === undefined) return false;
    const { clock } = this.time;
    const wall = clock.now() - this.quietSince.wall;
    return wall >= 0 && wall < IDLE_MS_MAX && clock.monotonic() - this.quietSince.mono < IDLE_MS_MAX;
  }

  drop(): void {
    this.socket?.destroy();
    this.client.destroy().then(undefined, () => {});
  }

  /** More than one answer arrived: the library has just closed the connection because of the bytes after the first. */
  private overfed(): boolean {
    return this.socket?.errored?.message === "bad response";
  }
}

const twoAnswers: Observation = {
  kind: "broken",
  code: "two-answers",
  message: "more than one answer came to one request",
  status: undefined,
};
