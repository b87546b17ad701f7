// Everything that can happen next: each event gives the worlds that it leads to. What the client decides is decided by the
// real transition function; only the switches of a variant bend what is done around it.

import type { Fill } from "../../../src/domain/order.ts";
import type { Failure, Outcome } from "../../../src/exchange/port.ts";
import type { Finding, Resolution } from "../../../src/execution/request.ts";
import { resolutionRefusal } from "../../../src/execution/request-state.ts";
import { advance, type Fact, type Polled } from "../../execution/advance.ts";
import type { Variant } from "./variant.ts";
import {
  type Copy,
  conditionsFor,
  FILL,
  fillsOf,
  isAcceptable,
  isHandedOver,
  isLive,
  LATE_MS,
  type Later,
  momentOf,
  nonceOf,
  type Query,
  WINDOW_MS,
  type World,
} from "./world.ts";

type Event = (world: World, variant: Variant) => readonly World[];
type Told = DistributiveOmit<Fact<Fill>, "now">;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export const EVENTS: Readonly<Record<string, Event>> = {
  record(world, variant) {
    if (world.submission.state.kind !== "intended") return [];
    const record = { nonce: nonceOf(world.nextNonce), digest: "", host: "" };
    const next: World = { ...world, nextNonce: world.nextNonce + 1, call: "ready" };
    return [told(next, { kind: "sending", record }, variant)];
  },

  connect(world, variant) {
    const { call, submission } = world;
    if (call !== "ready" || submission.state.kind !== "sending") return [];
    const { nonce } = submission.state;
    const notSent: Outcome<Fill> = { kind: "not-sent", code: "connect", reason: "refused" };
    return [
      { ...world, call: "waiting", copies: [{ nonce, place: "flying" }] },
      told({ ...world, call: "none" }, { kind: "outcome", outcome: notSent }, variant),
    ];
  },

  copies(world, variant) {
    return world.copies.flatMap((copy, index) =>
      whereTo(copy, world, variant).map((place) => ({
        ...world,
        copies: world.copies.with(index, { ...copy, place }),
        venueNonce: place === "queued" ? Math.max(world.venueNonce, copy.nonce) : world.venueNonce,
      })),
    );
  },

  publication: (world) => (fillsOf(world) > 0 && !world.published ? [{ ...world, published: true }] : []),

  answer(world, variant) {
    const copy = world.copies.at(-1);
    const { call, submission } = world;
    if (call !== "waiting" || copy === undefined || submission.state.kind !== "sending") return [];
    const outcome = outcomeOf(copy, world, variant);
    return outcome === undefined ? [] : [told({ ...world, call: "none" }, { kind: "outcome", outcome }, variant)];
  },

  timeout(world, variant) {
    const copy = world.copies[0];
    if (world.call !== "waiting" || copy === undefined) return [];
    const nonce = nonceOf(copy.nonce);
    const outcome: Outcome<Fill> =
      variant.timeoutMeans === "doubt"
        ? { kind: "doubt", failure: failure("timeout"), nonce, halt: false }
        : { kind: "rejected", failure: failure("timeout"), nonce, receivedAt: momentOf(world).at };
    const givesUp = told({ ...world, call: "none" }, { kind: "outcome", outcome }, variant);
    if (variant.resends === "never" || world.copies.length > 1) return [givesUp];
    const fresh = variant.resends === "fresh nonce";
    const again: Copy = { nonce: fresh ? world.nextNonce : copy.nonce, place: "flying" };
    const resent = { ...world, copies: [...world.copies, again], nextNonce: world.nextNonce + (fresh ? 1 : 0) };
    return [givesUp, resent];
  },

  ask(world, variant) {
    if (world.call !== "none" || world.asks >= variant.queries || world.queries.some(isOpen)) return [];
    const asking = told(world, { kind: "time" }, variant, { at: 1, mono: 1 });
    return asking.queries.length === world.queries.length ? [] : [asking];
  },

  arrival(world, { fencesWith, abandonedAnswers }) {
    return world.queries.flatMap((query, index) => {
      if (query.place !== "flying") return [];
      const otherKey = fencesWith === "a second key";
      const accepted = otherKey || query.nonce > world.venueNonce;
      const seen: Query = { ...query, place: accepted ? "answered" : "refused", shows: world.published };
      const venueNonce = accepted && !otherKey ? query.nonce : world.venueNonce;
      const kept = !query.abandoned || abandonedAnswers === "taken for the current one";
      return [
        { ...world, venueNonce, queries: kept ? world.queries.with(index, seen) : world.queries.toSpliced(index, 1) },
      ];
    });
  },

  reading(world, variant) {
    return world.queries.flatMap((query, index) => {
      const current = world.queries.find(isOpen);
      const taken = query.abandoned ? variant.abandonedAnswers === "taken for the current one" : true;
      if (query.place === "flying" || current === undefined || !taken) return [];
      const left = world.queries.filter((one, at) => at !== index && one !== current);
      // Whoever takes the answer for that of the current question also takes it for its nonce and round.
      return [heard({ ...world, queries: left }, { ...query, nonce: current.nonce, round: current.round }, variant)];
    });
  },

  abandonment(world, variant) {
    const current = world.queries.find(isOpen);
    if (current === undefined) return [];
    const mayBeHeard = current.place === "flying" || variant.abandonedAnswers === "taken for the current one";
    const index = world.queries.indexOf(current);
    const queries = mayBeHeard
      ? world.queries.with(index, { ...current, abandoned: true })
      : world.queries.toSpliced(index, 1);
    return [told({ ...world, queries }, { kind: "unanswered", round: current.round, code: "timeout" }, variant)];
  },

  /** Assumption A2: what was accepted before the window began is published when it ends. */
  window(world, { publication }) {
    const { state, poll } = world.submission;
    const fencedAt = state.kind === "unknown" && state.escalated === undefined ? poll.fencedAt : undefined;
    if (fencedAt === undefined || momentOf(world).mono - fencedAt >= WINDOW_MS) return [];
    const unpublished = !world.published && fillsOf(world) > 0;
    const pending = unpublished || world.copies.some(({ place }) => place === "queued");
    return pending && publication === "within the window" ? [] : [{ ...world, windows: world.windows + 1 }];
  },

  /** Only what it leads to is kept: the wall clock may be set back afterwards, and forth again. */
  lateness(world, variant) {
    const byWall = told(world, { kind: "time" }, variant, { at: LATE_MS, mono: 0 });
    const byBoth = told(world, { kind: "time" }, variant, { at: LATE_MS, mono: LATE_MS });
    // Only that a person is asked: the clock of queries goes on with the queries.
    return [byWall, byBoth].flatMap(({ submission: { state } }) => {
      const later = { ...world, submission: { ...world.submission, state } };
      return !isHandedOver(world) && isHandedOver(later) ? [{ ...later, disk: later.submission }] : [];
    });
  },

  /** Decides with the venue's own record, and only when that is final. */
  person(world, variant) {
    const landed = fillsOf(world) > 0;
    if (!landed && isLive(world, variant)) return [];
    const by = { by: "a person", reason: "the venue's record" };
    const resolution: Resolution<Fill> = landed
      ? { kind: "landed", receipt: FILL, ...by }
      : { kind: "not-landed", ...by };
    if (resolutionRefusal(world.submission, resolution.kind) !== undefined) return [];
    return [told(world, { kind: "resolved", resolution }, variant)];
  },

  explanation(world, variant) {
    return world.submission.state.kind === "confirmed" ? [told(world, { kind: "explained" }, variant)] : [];
  },

  /** Connections die with the process; what is on its way to the venue goes on. */
  crash(world, variant) {
    if (world.crashes >= variant.crashes) return [];
    const queries = world.queries
      .filter(({ place }) => place === "flying")
      .map((query) => ({ ...query, abandoned: true }));
    const rebooted: World = { ...world, submission: world.disk, crashes: world.crashes + 1, call: "none", queries };
    return [told(rebooted, { kind: "recovered" }, variant)];
  },
};

function whereTo(copy: Copy, world: World, variant: Variant): readonly Copy["place"][] {
  if (copy.place === "queued") return ["filled", "killed"];
  if (copy.place !== "flying") return [];
  return [isAcceptable(copy, world, variant) ? "queued" : "refused", "lost"];
}

/** The last copy's answer; every copy carries the nonce of the record but a fresh one, which a careless client equates. */
function outcomeOf({ place }: Copy, world: World, { unauthorizedMeans }: Variant): Outcome<Fill> | undefined {
  const { at: receivedAt } = momentOf(world);
  const nonce = nonceOf(world.copies[0]?.nonce ?? 0);
  if (place === "filled") return { kind: "accepted", value: FILL, nonce, receivedAt };
  if (place === "killed") return { kind: "rejected", failure: failure("unfilled"), nonce, receivedAt };
  if (place !== "refused") return undefined;
  return unauthorizedMeans === "doubt"
    ? { kind: "doubt", failure: failure("unauthorized"), nonce, halt: false }
    : { kind: "rejected", failure: failure("unauthorized"), nonce, receivedAt };
}

function heard(world: World, query: Query, variant: Variant): World {
  const { round } = query;
  if (query.place === "refused") return told(world, { kind: "unanswered", round, code: "unauthorized" }, variant);
  const { kind } = world.submission.state;
  if (variant.releases === "at the first not-found" && !query.shows && kind !== "accepted") return givenUp(world);
  const fenced = told(world, { kind: "answered", nonce: nonceOf(query.nonce) }, variant);
  const finding: Finding<Fill> = query.shows ? { kind: "landed", receipt: FILL } : { kind: "absent" };
  return told(fenced, { kind: "looked", round, finding }, variant);
}

function givenUp(world: World): World {
  const state = { kind: "released", at: momentOf(world).at, by: "bot", reason: "one look" } as const;
  const submission: Polled<"order"> = { ...world.submission, state };
  return { ...world, submission, disk: submission };
}

function told(world: World, fact: Told, variant: Variant, laterMs?: Later): World {
  const { submission, effects } = advance(
    world.submission,
    { ...fact, now: momentOf(world, laterMs) },
    conditionsFor(variant),
  );
  if (submission === world.submission && effects.length === 0) return world;
  const isKept = variant.journals === "before sending" || submission.state.kind !== "sending";
  const next = {
    ...world,
    submission,
    disk: isKept ? submission : world.disk,
    booked: world.booked + effects.filter(({ kind }) => kind === "book").length,
    freed: world.freed + effects.filter(({ kind }) => kind === "free").length,
  };
  const ask = effects.find((effect) => effect.kind === "ask");
  return ask?.kind === "ask" ? asked(next, ask.round) : next;
}

function asked(world: World, round: number): World {
  const query: Query = { nonce: world.nextNonce, round, place: "flying", shows: false, abandoned: false };
  const { asks, nextNonce, queries } = world;
  return { ...world, asks: asks + 1, nextNonce: nextNonce + 1, queries: [...queries, query] };
}

function isOpen(query: Query): boolean {
  return !query.abandoned;
}

function failure(code: string): Failure {
  return { code, status: undefined, venueCode: undefined, message: code };
}
