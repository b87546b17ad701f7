// Rails as the rebalancer uses them: which ones are usable now, and what must be known before one is registered. The
// content comes from a template of the configuration and our list of destinations; a wallet must also be whitelisted at
// the venue.

import type { Money } from "../../domain/money/money.ts";
import { isRejected, isWorking, type RailRequest } from "../../domain/rail.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { utcText } from "../../domain/time-text.ts";
import type { WithdrawAddress } from "../../exchange/port.ts";
import type { TreasuryRequests } from "../../execution/executor.ts";
import type { Expectation } from "../../execution/payments.ts";
import type { MoneyRequest } from "../../execution/request.ts";
import { isSameRail } from "../../execution/treasury-requests.ts";
import type { ClosedRoute, Via } from "../plan/route.ts";
import type { RailTerms } from "../plan/transfer-routes.ts";
import { type RailDraft, whyNotWhitelisted } from "../rail.ts";

/** Keyed by the name of the template. */
export type RailDrafts = ReadonlyMap<string, RailDraft & { readonly toAccount: boolean }>;

export type RailVia = Extract<Via, { kind: "on-ramp" | "off-ramp" }>;

/** The existing rail of exactly this content, whether or not it takes payments. */
export function railOf(
  treasury: Pick<TreasuryRequests, "requests">,
  rail: RailRequest,
): MoneyRequest<"rail"> | undefined {
  return treasury
    .requests("rail")
    .find(
      ({ request, state }) =>
        "receipt" in state && state.kind !== "settled" && isSameRail(request, rail) && !isRejected(state.receipt),
    );
}

/** Why the venue refused the last rail of exactly this content. */
export function railRefused(treasury: Pick<TreasuryRequests, "requests">, rail: RailRequest): string | undefined {
  let reason: string | undefined;
  for (const { request, state } of treasury.requests("rail")) {
    if (!isSameRail(request, rail)) continue;
    if (state.kind === "rejected") reason = state.message;
    else if ("receipt" in state) reason = isRejected(state.receipt) ? (state.receipt.reason ?? "rejected") : undefined;
  }
  return reason;
}

type Awaited = Pick<Expectation, "id" | "rail" | "since"> & { readonly pays: Money | undefined };

/** Expected payments, and rails that take payments but never had one. */
export function awaited(treasury: Pick<TreasuryRequests, "payments" | "requests">): readonly Awaited[] {
  const { payments } = treasury;
  const expected = payments.expectations();
  const idle = treasury.requests("rail").flatMap(({ id, state, bookedAt: since }): readonly Awaited[] => {
    if (since === undefined || !("receipt" in state) || state.kind === "settled") return [];
    const isIdle = isWorking(state.receipt) && payments.isUnpaid(state.receipt.railId);
    return isIdle && !expected.some(({ rail }) => rail === id) ? [{ id, rail: id, pays: undefined, since }] : [];
  });
  return [...expected, ...idle];
}

/** The name of the template that this rail was registered from. */
export function templateOf(
  drafts: RailDrafts,
  rail: string,
  movements: Pick<TreasuryRequests, "requests">,
): string | undefined {
  for (const [name, draft] of drafts) if (railOf(movements, draft.rail)?.id === rail) return name;
  return undefined;
}

const NO_TERMS = { decidedAt: millis(0), expiresAt: millis(0), reason: "" };

/**
 * Why this route is closed now. `addresses`: the whitelist; undefined: not looked at. `isAnother`: ignores the state of an
 * existing rail.
 */
export function whyClosed(
  draft: RailDraft,
  movements: Pick<TreasuryRequests, "refusal" | "requests">,
  addresses: readonly WithdrawAddress[] | undefined,
  { isAnother = false }: { readonly isAnother?: boolean } = {},
): string | undefined {
  const { rail, wallet } = draft;
  // Frozen, or a rail of the same content has an unknown outcome.
  const refusal = movements.refusal({ kind: "rail", rail: { ...rail, known: [] }, isAnother: true, ...NO_TERMS });
  if (refusal !== undefined) return refusal;
  const refused = railRefused(movements, rail);
  if (refused !== undefined) return `the venue refused this rail: ${refused}; its template must be changed`;
  const unlisted = wallet && addresses && whyNotWhitelisted(wallet, rail.asset, addresses);
  if (unlisted !== undefined || isAnother) return unlisted;
  return whyNotWorking(railOf(movements, rail)) || undefined;
}

/** After a person gave up a payment on a rail, they are not asked for another for this long. */
const GIVEN_UP_MS = 3_600_000;

type RailsNow = { readonly rails: readonly RailTerms[]; readonly closed: readonly ClosedRoute[] };

/** The rails that can be used: people are asked for one payment on a rail at a time. */
export function railsNow(
  { rails }: { readonly rails: readonly RailTerms[] },
  drafts: RailDrafts,
  treasury: Pick<TreasuryRequests, "payments" | "refusal" | "requests">,
  at: Millis,
): RailsNow {
  const found = rails.map((terms) => ({ terms, reason: whyUnusable(terms, drafts.get(terms.template), treasury, at) }));
  return {
    rails: found.flatMap(({ terms, reason }) => (reason === undefined ? [terms] : [])),
    closed: found.flatMap(({ terms: { kind, template }, reason }) =>
      reason === undefined ? [] : [{ name: `${kind} ${template}`, reason }],
    ),
  };
}

function whyUnusable(
  { template, kind, wallet }: RailTerms,
  draft: RailDraft | undefined,
  treasury: Pick<TreasuryRequests, "payments" | "refusal" | "requests">,
  at: Millis,
): string | undefined {
  if (draft === undefined) return "its template in treasury.rails is not complete, or leads to no destination of ours";
  // Payments to a wallet are in no books, so that their end is not seen.
  if (kind === "on-ramp" && wallet !== undefined)
    return `it leads to a wallet: pegbot rail on ${template}, and pay on it`;
  const closed = whyClosed(draft, treasury, undefined);
  if (closed !== undefined) return closed;
  const id = railOf(treasury, draft.rail)?.id;
  const { payments } = treasury;
  const given = payments.givenUp().find((one) => one.rail === id && at < one.at + GIVEN_UP_MS);
  if (given !== undefined) return `a person gave up a payment on it at ${utcText(given.at)}: ${given.reason}`;
  const open = payments.expectations().find(({ rail }) => rail === id);
  return open && `${open.id} is to be paid on it`;
}

/** The rail that the step refers to, if it is still the approved one. */
export function draftOf(via: RailVia, drafts: RailDrafts): Result<RailDraft & { toAccount: boolean }> {
  const { template, to, asset, chain, memo, registers } = via;
  const draft = drafts.get(template);
  if (draft === undefined) return err(`treasury.rails has no template ${template} that can be used`);
  const { rail } = draft;
  const isLike = rail.destination === to && rail.asset === asset && rail.blockchain === chain && rail.memo === memo;
  const isSame = isLike && (registers === undefined || isSameRail(rail, registers.rail));
  return isSame
    ? ok(draft)
    : err(
        isLike
          ? `template ${template} is another one than what was approved`
          : `template ${template} leads elsewhere than when it was approved`,
      );
}

/** A rail that is not working takes no payments. Empty if it works, or if there is none. */
export function whyNotWorking(rail: MoneyRequest<"rail"> | undefined): string {
  if (rail === undefined || !("receipt" in rail.state) || isWorking(rail.state.receipt)) return "";
  const { status, reason } = rail.state.receipt;
  return `rail ${rail.id} is ${status}${reason === undefined ? "" : `: ${reason}`}`;
}
