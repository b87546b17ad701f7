// What counts as evidence about a mint or a rail. Neither carries an id of ours: what is new in the list since before it was
// sent, fits, and belongs to no other request of ours, is ours when there is exactly one of it.

import type { MintIntent, MintRecord } from "../domain/mint.ts";
import type { Rail, RailIntent } from "../domain/rail.ts";
import type { RailRecord, SupplyChange } from "../exchange/port.ts";
import { reservationOf } from "./reservation.ts";
import type { Finding, State, Submission } from "./submission.ts";

/** The name under which the venue lists it. */
export function idOfChange({ requestId, transactionId }: SupplyChange): string {
  return requestId ?? transactionId ?? "";
}

export type Found<T> = { readonly id: string; readonly finding: Finding<T> };

/** About every mint of the asset that the list has something to say of. `isForeign`: adopted, and so not ours. */
export function findMints(
  rows: readonly SupplyChange[],
  mints: readonly Submission<"mint">[],
  isForeign: (row: SupplyChange) => boolean,
): readonly Found<MintRecord>[] {
  const found: Found<MintRecord>[] = [];
  const claimed = new Set<SupplyChange>();
  for (const { id, state } of mints) {
    if (!("receipt" in state)) continue;
    const row = rows.find((one) => isOf(one, state.receipt));
    if (row === undefined) continue;
    claimed.add(row);
    found.push({ id, finding: { kind: "landed", receipt: recordOf(row, state.receipt.requestId) } });
  }
  // What is being sent will be named by its answer: until then nobody else may have it.
  for (const { request, state } of mints)
    if (state.kind === "sending") for (const row of rows) if (mayBe(request, row)) claimed.add(row);
  const free = rows.filter((row) => !claimed.has(row) && !isForeign(row));
  for (const { id, request, state } of lookedFor(mints)) {
    const fitting = free.filter((row) => !claimed.has(row) && mayBe(request, row));
    const named = fitting.filter(({ quantity }) => quantity !== undefined);
    // Of what had been given up only the very quantity says that it happened after all.
    const candidates = named.length > 0 || isGivenUp(state) ? named : fitting;
    const finding = onlyOne(candidates, (row) => recordOf(row), `the venue lists several new mints that may be ${id}`);
    if (finding === undefined) continue;
    for (const row of candidates) claimed.add(row);
    found.push({ id, finding });
  }
  return found;
}

export function findRails(
  rows: readonly RailRecord[],
  rails: readonly Submission<"rail">[],
  isForeign: (row: RailRecord) => boolean,
): readonly Found<Rail>[] {
  const found: Found<Rail>[] = [];
  const claimed = new Set<RailRecord>();
  for (const { id, state } of rails) {
    if (!("receipt" in state)) continue;
    const row = rows.find(({ railId }) => railId === state.receipt.railId);
    if (row === undefined) continue;
    claimed.add(row);
    found.push({ id, finding: { kind: "landed", receipt: railOf(row) } });
  }
  for (const { request, state } of rails)
    if (state.kind === "sending") for (const row of rows) if (mayBeRail(request, row)) claimed.add(row);
  const free = rows.filter((row) => !claimed.has(row) && !isForeign(row));
  for (const { id, request, state } of lookedFor(rails)) {
    if (isGivenUp(state)) continue;
    const candidates = free.filter((row) => !claimed.has(row) && mayBeRail(request, row));
    const finding = onlyOne(candidates, railOf, `the venue lists several new rails that may be ${id}`);
    if (finding === undefined) continue;
    for (const row of candidates) claimed.add(row);
    found.push({ id, finding });
  }
  return found;
}

/** Could this be the mint, by all that it says? */
export function mayBe({ asset, quantity, blockchain, known }: MintIntent, row: SupplyChange): boolean {
  return (
    row.asset === asset &&
    !namesOf(row).some((name) => known.includes(name)) &&
    (row.quantity === undefined || row.quantity.equals(quantity)) &&
    (row.blockchain === undefined || row.blockchain === blockchain)
  );
}

export function mayBeRail({ known, ...request }: RailIntent, row: RailRecord): boolean {
  if (known.includes(row.railId)) return false;
  const shown = row.request ?? {};
  return (Object.keys(shown) as (keyof typeof shown)[]).every(
    (field) => shown[field] === undefined || shown[field] === request[field],
  );
}

function lookedFor<K extends "mint" | "rail">(all: readonly Submission<K>[]): readonly Submission<K>[] {
  const open = all.filter(
    ({ state }) => state.kind === "doubt" || state.kind === "fenced" || state.kind === "escalated",
  );
  // What is open has the first claim.
  return [...open, ...all.filter(({ state }) => isGivenUp(state))];
}

function isGivenUp({ kind }: State<unknown>): boolean {
  return reservationOf({ kind }) === "freed" && kind !== "not-sent";
}

function onlyOne<R, T>(rows: readonly R[], receiptOf: (row: R) => T, several: string): Finding<T> | undefined {
  const [row, ...others] = rows;
  if (row === undefined) return undefined;
  if (others.length === 0) return { kind: "landed", receipt: receiptOf(row) };
  return { kind: "contradiction", shows: "several", reason: several, cause: "foreign" };
}

/** A row that showed only its transaction may show a request id later: it is known by either. */
export function namesOf({ requestId, transactionId }: SupplyChange): readonly string[] {
  return [requestId, transactionId].filter((name) => name !== undefined);
}

/** By the id that the venue gave for it; by its transaction where one of the two has nothing else. */
export function isOf(row: SupplyChange, { requestId, transactionId }: MintRecord): boolean {
  const isSameTransaction = row.transactionId !== undefined && row.transactionId === transactionId;
  const isNamedByIt = row.requestId === undefined || requestId === transactionId;
  return row.requestId === requestId || (isSameTransaction && isNamedByIt) || idOfChange(row) === requestId;
}

function recordOf(row: SupplyChange, requestId: string = idOfChange(row)): MintRecord {
  const { transactionId, status, reason } = row;
  return { requestId, transactionId, fee: undefined, spent: undefined, status, reason };
}

function railOf({ railId, status, reason }: RailRecord): Rail {
  return { railId, status, reason };
}
