// The way out for orders and questions, for the running bot and for commands alike. An order is checked once more when
// its slot opens, recorded as sent before a byte leaves, and checked by the switch as the last statement. It is sent once.

import type { PairSymbol } from "../domain/asset.ts";
import type { Control } from "../domain/event.ts";
import type { Instrument } from "../domain/instrument.ts";
import type { ClientOrderId, Fill } from "../domain/order.ts";
import { type Millis, type Mono, mono } from "../domain/time.ts";
import type { Exchange, Outcome, Reading, Want, WantClass } from "../exchange/port.ts";
import type { Journal } from "../journal/journal.ts";
import { createExitDoor } from "../risk/exit-door.ts";
import type { Approved } from "../risk/gate.ts";
import type { Breach, Gate, RiskContext } from "../risk/rule.ts";
import type { Answer, Ask, Executor } from "./executor.ts";
import type { Moment, Witness } from "./submission.ts";

export type DispatchParts = {
  readonly exchange: Exchange;
  readonly journal: Pick<Journal, "announce">;
  /** Asked each time: after a rebuild they are others. */
  readonly core: () => DispatchCore;
  readonly now: () => Moment;
  /** Kill switch and files on disk: a reason refuses. */
  readonly lastCheck: () => string | undefined;
  /** The venue's Date of an answer. */
  readonly heard: (at: Millis | undefined) => void;
};

export type DispatchCore = {
  readonly executor: Executor;
  readonly gate: Pick<Gate<Approved>, "recheck">;
  readonly engine: {
    readonly context: RiskContext;
    readonly instruments: ReadonlyMap<PairSymbol, Instrument>;
  };
};

export type Sent = {
  readonly id: ClientOrderId;
  readonly outcome: Outcome<Fill>;
  /** What is sent is not what was approved: everything stops. */
  readonly control: Control | undefined;
};

export type Heard =
  | { readonly kind: "answer"; readonly answer: Answer }
  | {
      readonly kind: "unanswered";
      readonly witness: Witness;
      readonly askedAt: Mono;
      readonly code: string;
      readonly message: string;
    };

export type Question = Omit<Ask, "class"> & { readonly class: WantClass };

export interface Dispatch {
  send(order: Approved): Promise<Sent>;
  ask(question: Question): Promise<Heard>;
  /** From now on nothing begins to leave: what still waits ends as not sent, what is under way goes on. */
  close(reason: string): void;
  /** Orders whose bytes may be out, and which are not answered yet. */
  readonly inFlight: ReadonlySet<ClientOrderId>;
}

export function createDispatch(parts: DispatchParts): Dispatch {
  const { exchange, journal, core, now } = parts;
  const door = createExitDoor();
  const inFlight = new Set<ClientOrderId>();
  /** Orders that wait for a slot, with the way to end them. */
  const waiting = new Map<ClientOrderId, (outcome: Outcome<Fill>) => void>();
  let closed: string | undefined;

  function recheck(order: Approved): string | undefined {
    const { executor, gate, engine } = core();
    const moment = now();
    if (closed !== undefined) return closed;
    if (moment.at > order.expiresAt) return `the decision is ${moment.at - order.expiresAt} ms past its lifetime`;
    const listed = engine.instruments.get(order.symbol);
    if (listed === undefined) return `${order.symbol} is not listed any more`;
    const freeze = executor.freeze(moment);
    const { base, quote } = listed;
    if (freeze.kind === "everything") return freeze.reason;
    if (freeze.kind === "assets" && (freeze.assets.includes(base) || freeze.assets.includes(quote)))
      return freeze.reason;
    return gate.recheck({ ...order, instrument: listed }, engine.context)?.message;
  }

  async function send(order: Approved): Promise<Sent> {
    const { clientOrderId: id } = order;
    let breach: Breach | undefined;
    door.approve(order);
    const outcome = await new Promise<Outcome<Fill>>((resolve, reject) => {
      if (closed !== undefined) return resolve(notSent(closed));
      waiting.set(id, resolve);
      exchange
        .addOrder(order, {
          ...lifetime(order, now()),
          recheck: () => recheck(order),
          sending(record) {
            waiting.delete(id);
            const written = journal.announce(core().executor.sending(id, record, now()));
            if (!written.ok) throw new Error(written.error.message);
            inFlight.add(id);
          },
          lastCheck() {
            const stopped = closed ?? parts.lastCheck();
            if (stopped !== undefined) return stopped;
            breach = door.send(order);
            // Counting took time: the switch is what must be asked last.
            return breach?.reason ?? parts.lastCheck();
          },
        })
        .then(resolve, reject);
    });
    waiting.delete(id);
    inFlight.delete(id);
    if (outcome.kind === "not-sent") door.drop(id);
    breach ??= door.check();
    return { id, outcome, control: breach && { kind: "halt", reason: breach.reason, wayOut: breach.wayOut } };
  }

  async function ask({ witness, asset, class: wanted }: Question): Promise<Heard> {
    const askedAt = now().mono;
    const want: Want = { class: wanted };
    const reading = await read(exchange, witness, asset, want);
    if (reading.kind !== "read") {
      const { code, message } =
        reading.kind === "failed" ? reading.failure : { code: "dropped", message: reading.reason };
      return { kind: "unanswered", witness, askedAt, code, message };
    }
    const { at, receivedAt, nonce, value: rows } = reading;
    parts.heard(at);
    return { kind: "answer", answer: { witness, asset, askedAt, receivedAt, nonce, rows } as Answer };
  }

  return {
    send,
    ask,
    close(reason) {
      closed ??= reason;
      for (const end of waiting.values()) end(notSent(reason));
    },
    inFlight,
  };
}

/** Past its lifetime it is dropped by whoever keeps the slots. */
function lifetime({ expiresAt }: Approved, { at, mono: from }: Moment): Want {
  return { class: "order", deadline: mono(from + Math.max(0, expiresAt - at)) };
}

function notSent(reason: string): Outcome<never> {
  return { kind: "not-sent", code: "stopped", reason };
}

function read(exchange: Exchange, witness: Witness, asset: Ask["asset"], want: Want): Promise<Reading<Answer["rows"]>> {
  switch (witness) {
    case "trades":
      return exchange.trades(want);
    case "orders":
      return exchange.orders(want);
    case "balances":
      return exchange.balances(want);
    case "rails":
      return exchange.rails(want);
    case "supply-changes":
      if (asset === undefined) throw new Error("supply changes are asked of one asset");
      return exchange.supplyChanges(asset, want);
  }
}
