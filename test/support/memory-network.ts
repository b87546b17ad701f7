// The simulator's service without sockets: the real client's requests reach the real service through memory, on virtual
// time, with its faults and with network delays from the seed. Signatures are not checked here (the lockstep rig does that),
// so that a simulated day takes seconds; pace, nonces, bodies and answers are.

import { createRandom } from "../../src/domain/random.ts";
import { err, ok } from "../../src/domain/result.ts";
import type { Clock, Timers } from "../../src/domain/time.ts";
import { presets } from "../../src/exchange/profile.ts";
import { HttpAttempt, type Observation } from "../../src/exchange/wire/http-attempt.ts";
import {
  attemptLimits,
  type Transport,
  transportDefaults,
  type WireRequest,
} from "../../src/exchange/wire/transport.ts";
import { refusal } from "../../src/simulator/core/refusal.ts";
import type { VenueSettings } from "../../src/simulator/core/settings.ts";
import { createVenue, type Venue } from "../../src/simulator/core/venue.ts";
import { FaultPlan, type FaultsSetting, faultsSchema } from "../../src/simulator/fault.ts";
import { acceptanceOf } from "../../src/simulator/http/acceptance.ts";
import { Admission } from "../../src/simulator/http/admission.ts";
import { readCallBody } from "../../src/simulator/http/body.ts";
import type { Endpoint } from "../../src/simulator/http/endpoint.ts";
import { KeyGate } from "../../src/simulator/http/key-gate.ts";
import type { ApiRequest } from "../../src/simulator/http/request.ts";
import { RequestLog, type SeenRequest } from "../../src/simulator/http/request-log.ts";
import { type Delivery, Service } from "../../src/simulator/http/service.ts";
import { createLatency } from "../../src/simulator/latency.ts";
import type { MarketParameters } from "../../src/simulator/market/parameters.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";
import { setUpAccount } from "../../src/simulator/stage.ts";
import { SettlementClock, VenueWriter } from "../../src/simulator/venue-writer.ts";

export type MemoryVenueOptions = {
  readonly seed: number;
  readonly clock: Clock;
  /** Of the venue and of the way there: they outlive any client. */
  readonly timers: Timers;
  readonly key: string;
  readonly funds: Readonly<Record<string, string>>;
  readonly settings?: Partial<VenueSettings>;
  readonly market?: MarketParameters;
};

export type MemoryVenue = {
  readonly venue: Venue;
  setFaults(faults: FaultsSetting): void;
  requests(): readonly SeenRequest[];
  /** Bodies of addOrder that reached the venue, whatever became of them. */
  readonly orders: readonly string[];
  /** Called when an order has arrived, before the venue has looked at it. */
  onOrder: (() => void) | undefined;
  /** The same of any call, with its path. */
  onCall: ((path: string) => void) | undefined;
  /** The way of one client; what it has sent arrives also when the client is no more. */
  transport(timers: Timers): Transport;
};

export async function createMemoryVenue(options: MemoryVenueOptions): Promise<MemoryVenue> {
  const { seed, clock, timers, key, funds } = options;
  const venue = createVenue({ market: syntheticMarket(seed, options.market), settings: { ...options.settings, seed } });
  const settlement = new SettlementClock(clock, 1);
  const writer = new VenueWriter(venue, settlement, undefined);
  await setUpAccount(writer, key, new Map(Object.entries(funds)));
  const faults = new FaultPlan(createRandom(seed).fork("faults"));
  const log = new RequestLog();
  const accept = acceptanceOf([presets.contract]);
  const gate = new KeyGate(1_000);
  const admission = new TrustingAdmission(venue, gate, { accept, answers: "contract" });
  const service = new Service({
    writer,
    admission,
    faults,
    log,
    clock,
    timers,
    profile: presets.contract,
  });
  const latency = createLatency(createRandom(seed).fork("network"));
  const orders: string[] = [];

  async function carried(request: WireRequest, deliver: (delivery: Delivered) => void): Promise<void> {
    const { thereMs, backMs } = latency();
    await pause(timers, thereMs);
    memory.onCall?.(request.path);
    if (request.path === "/private/addOrder") {
      orders.push(request.body ?? "");
      memory.onOrder?.();
    }
    const delivery = await service.answer(apiRequest(request, clock));
    if (delivery.kind === "silence") return;
    await pause(timers, backMs);
    deliver(delivery);
  }

  const memory: MemoryVenue = {
    venue,
    orders,
    onOrder: undefined,
    onCall: undefined,
    setFaults: (setting) => faults.set(faultsSchema.parse(setting).rules),
    requests: () => log.of(undefined),
    transport: (own) => ({
      host: "memory",
      close() {},
      send: (request) =>
        new Promise<Observation>((resolve) => {
          const outlet = {
            gate: request.gate,
            hold() {},
            release: () => void carried(request, (delivery) => received(attempt, delivery)),
          };
          const attempt = new HttpAttempt(
            outlet,
            { clock, timers: own },
            attemptLimits(transportDefaults, request.fresh),
            resolve,
          );
          attempt.onRequestStart({ abort() {} });
          attempt.onRequestSent();
        }),
    }),
  };
  return memory;
}

/** Everything but the signature. */
class TrustingAdmission extends Admission {
  readonly #gate: KeyGate;
  readonly #accept: ReturnType<typeof acceptanceOf>;

  constructor(...[venue, gate, rules]: ConstructorParameters<typeof Admission>) {
    super(venue, gate, rules);
    this.#gate = gate;
    this.#accept = rules.accept;
  }

  override admit(endpoint: Endpoint, request: ApiRequest): ReturnType<Admission["admit"]> {
    const { headers } = request;
    const key = headers["x-app-public-key"] ?? "";
    const body = readCallBody(endpoint, headers["content-type"], request.body ?? Buffer.alloc(0), this.#accept);
    if (!body.ok) return err(refusal("bad_request", body.error));
    if (!this.#gate.spend(key, BigInt(headers["x-app-nonce"] ?? "0")))
      return err(refusal("signature_failure", "nonce must be higher than the last one"));
    return ok({ key, body: body.value });
  }
}

function apiRequest({ method, path, headers, body }: WireRequest, clock: Clock): ApiRequest {
  return {
    method,
    path: `/api/v1${path}`,
    query: new URLSearchParams(),
    headers,
    body: Buffer.from(body ?? ""),
    arrivedAt: clock.now(),
    arrivedMono: clock.monotonic(),
  };
}

type Delivered = Exclude<Delivery, { kind: "silence" }>;

function received(attempt: HttpAttempt, delivery: Delivered): void {
  const controller = { abort() {} };
  if (delivery.kind === "reset") {
    attempt.onResponseError(controller, Object.assign(new Error("reset"), { code: "ECONNRESET" }));
    return;
  }
  const { status, headers, body } = delivery.reply;
  attempt.onResponseStarted();
  attempt.onResponseStart(controller, status, headers);
  attempt.onResponseData(controller, Buffer.from(body));
  attempt.onResponseEnd();
}

function pause(timers: Timers, ms: number): Promise<void> {
  return new Promise((resolve) => void timers.after(ms, resolve));
}
