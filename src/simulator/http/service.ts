// One API request from arrival to delivery, without sockets: faults strike, checks run, the venue acts, and the result
// states how the answer is delivered.

import { hash } from "node:crypto";
import { pause } from "../../domain/pause.ts";
import type { Clock, Timers } from "../../domain/time.ts";
import type { Profile } from "../../exchange/profile.ts";
import type { FaultPlan, Struck } from "../fault.ts";
import type { VenueWriter } from "../venue-writer.ts";
import type { Admission } from "./admission.ts";
import { doPublicCall, doSignedCall } from "./call.ts";
import { type Endpoint, endpointAt } from "./endpoint.ts";
import { type ApiRequest, errorReply, type Reply } from "./request.ts";
import type { RequestLog, SeenRequest } from "./request-log.ts";

/** How an answer is delivered, if at all. */
export type Delivery =
  | { readonly kind: "sent"; readonly reply: Reply }
  /** No answer; the connection stays open. */
  | { readonly kind: "silence" }
  | { readonly kind: "reset" };

export type ServiceParts = {
  readonly writer: VenueWriter;
  readonly admission: Admission;
  readonly faults: FaultPlan;
  readonly log: RequestLog;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly profile: Profile;
};

export class Service {
  private readonly parts: ServiceParts;

  constructor(parts: ServiceParts) {
    this.parts = parts;
  }

  async answer(request: ApiRequest): Promise<Delivery> {
    const endpoint = endpointAt(request.path);
    const publicKey = request.headers["x-app-public-key"];
    const seen = this.parts.log.add({
      publicKey: publicKey?.slice(0, 512),
      arrivedAt: request.arrivedAt,
      arrivedMono: request.arrivedMono,
      method: request.method,
      path: request.path.slice(0, 200),
      nonce: request.headers["x-app-nonce"]?.slice(0, 40),
      digest: request.body?.length ? hash("sha256", request.body, "hex") : undefined,
      status: undefined,
      outcome: "in progress",
    });
    if (endpoint === undefined) return note(seen, this.error(404, "not_found", "no such path"));
    const struck = this.parts.faults.draw(endpoint.name, publicKey);
    const delivery = await this.travel(endpoint, request, struck);
    return note(seen, delivery, struck);
  }

  /** Applies the faults on the way in and on the way out. */
  private async travel(endpoint: Endpoint, arrived: ApiRequest, struck: Struck): Promise<Delivery> {
    if (struck.get("lost-request")) return { kind: "silence" };
    if (struck.get("reset-before")) return { kind: "reset" };
    const request = await this.delayed(arrived, struck);
    const inPlace = this.inPlaceOf(struck);
    const done = inPlace?.executes === false ? undefined : await this.serve(endpoint, request, struck);
    if (struck.get("lost-answer")) return { kind: "silence" };
    if (struck.get("reset-after")) return { kind: "reset" };
    const reply = this.dated(inPlace?.reply ?? done ?? this.error(500, "internal_error", "no answer").reply, struck);
    const { body } = reply;
    if (struck.get("truncated-json"))
      return { kind: "sent", reply: { ...reply, body: body.slice(0, body.length / 2) } };
    return { kind: "sent", reply };
  }

  private async delayed(request: ApiRequest, struck: Struck): Promise<ApiRequest> {
    const late = struck.get("late-arrival");
    if (late === undefined) return request;
    await pause(this.parts.timers, late.delayMs);
    return { ...request, arrivedAt: this.parts.clock.now(), arrivedMono: this.parts.clock.monotonic() };
  }

  /** An answer that a gateway gives in place of the service. */
  private inPlaceOf(struck: Struck): { reply: Reply; executes: boolean } | undefined {
    const status = struck.get("status");
    if (status) {
      const { reply } = this.error(status.status, `http_${status.status}`, "injected by a fault rule");
      const after = status.retryAfterSeconds;
      const headers = after === undefined ? reply.headers : { ...reply.headers, "retry-after": String(after) };
      return { reply: { ...reply, headers }, executes: status.executes };
    }
    const html = struck.get("html");
    if (html) return { reply: htmlPage(html.status), executes: html.executes };
    const error = struck.get("error-inside");
    if (error === undefined) return undefined;
    const { code, inner, message, status: outer, executes } = error;
    return { reply: { ...this.error(inner, code, message).reply, status: outer }, executes };
  }

  private async serve(endpoint: Endpoint, request: ApiRequest, struck: Struck): Promise<Reply> {
    const { admission, writer, timers, profile } = this.parts;
    if (request.method !== this.methodOf(endpoint)) {
      const wrong = this.error(405, "method_not_allowed", `method must be ${this.methodOf(endpoint)}`).reply;
      return { ...wrong, headers: { ...wrong.headers, allow: this.methodOf(endpoint) } };
    }
    const arrived = admission.arrive(request);
    if (!arrived.ok) return errorReply(arrived.error, profile.answers);
    const parts = { writer, profile };
    if (endpoint.access === "public") return doPublicCall(endpoint.name, request.query, parts, struck);
    const admitted = admission.admit(endpoint, request);
    if (!admitted.ok) return errorReply(admitted.error, profile.answers);
    const late = struck.get("late-execution");
    if (late) await pause(timers, late.delayMs);
    return doSignedCall(endpoint, admitted.value, parts, struck);
  }

  private methodOf(endpoint: Endpoint): string {
    if (endpoint.name === "tradingPairs") return this.parts.profile.tradingPairs.toUpperCase();
    return endpoint.access === "signed" ? "POST" : "GET";
  }

  private dated(reply: Reply, struck: Struck): Reply {
    const at = this.parts.clock.now() + (struck.get("wrong-clock")?.offsetMs ?? 0);
    return { ...reply, headers: { ...reply.headers, date: new Date(at).toUTCString() } };
  }

  private error(status: number, code: string, message: string): { kind: "sent"; reply: Reply } {
    return { kind: "sent", reply: errorReply({ status, code, message }, this.parts.profile.answers) };
  }
}

function note(seen: SeenRequest, delivery: Delivery, struck?: Struck): Delivery {
  const faults = struck?.kinds.length ? ` (${struck.kinds.join(", ")})` : "";
  seen.status = delivery.kind === "sent" ? delivery.reply.status : undefined;
  seen.outcome = `${delivery.kind === "sent" ? outcomeOf(delivery.reply) : delivery.kind}${faults}`;
  return delivery;
}

function outcomeOf({ status, body }: Reply): string {
  if (status === 200) return "ok";
  return /"code":"([^"]{1,80})"/.exec(body)?.[1] ?? `http ${status}`;
}

function htmlPage(status: number): Reply {
  const body = `<html><head><title>${status}</title></head><body><h1>${status}</h1><p>gateway</p></body></html>`;
  return { status, headers: { "content-type": "text/html" }, body };
}
