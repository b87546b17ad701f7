// A second opinion on refusals, from the interface's own table of errors and by JSON.parse: it shares nothing with the
// classification that it judges.

export type Moved = "order" | "mint" | "rail";

const EVERY = "order mint rail";
/** Code, the HTTP statuses it comes with, the requests it refuses. Order errors also come with 200. */
const INTERFACE: readonly (readonly [string, string, string])[] = [
  ["bad request", "400", EVERY],
  ["unknown symbol", "400", "order"],
  ["invalid order", "400", "order"],
  ["min_amount_below_threshold", "400", "mint"],
  ["kyb_required", "403", EVERY],
  ["agreement_missing", "403", EVERY],
  ["external_wallet_not_whitelisted", "403", "mint rail"],
  ["FOK not fillable", "200 400", "order"],
  ["non_marketable_fok_limit_price", "200 400", "order"],
  ["limit_too_far_from_market_price", "200 400", "order"],
];

/** May this answer be taken for a refusal? */
export function isNamedRefusal(moved: Moved, status: number, text: string): boolean {
  const body = plain(text);
  if (body === undefined) return false;
  const error = fields(body.error);
  if (landed(moved, body)) return false;
  const result = String(body.result ?? undefined);
  if (!["undefined", "ok", "success", "error"].includes(result) && !(moved === "order" && isRefusing(result)))
    return false;
  const isErrorSet = isSaid(body.error) && (typeof body.error !== "object" || isSaid(error.code) || "message" in error);
  if (!isErrorSet && !isSaid(body.code)) return moved === "rail" && status === 200 && isRejectedRail(body);
  const codes = [error.code, body.code].filter(isSaid);
  if (isErrorSet && !isSaid(error.code)) return false;
  const row = INTERFACE.find(([code]) => codes.every((said) => spelling(said) === spelling(code)));
  if (row === undefined || !row[2].split(" ").includes(moved)) return false;
  const own = row[1].split(" ");
  if (!own.includes(String(status)) && !(status === 200 && isErrorSet)) return false;
  const stated = [body, error].flatMap((one) => [one.status, one.statuscode, one.httpstatus]).filter(isSaid);
  return stated.every(
    (said) =>
      (own.includes(String(said)) && (status === 200 || String(said) === String(status))) ||
      (moved === "rail" && /^rejected$/i.test(String(said))),
  );
}

function isRejectedRail(body: Fields): boolean {
  return /^rejected$/i.test(String(body.status)) && (isSaid(body.railid) || isSaid(body.reason));
}

/** Does the body show that something happened? A rejected rail may have its id. */
function landed(moved: Moved, body: Fields): boolean {
  if (moved === "mint") return isSaid(body.requestid) || isSaid(body.txid) || Number(body.spent ?? 0) !== 0;
  if (moved === "rail") return isSaid(body.railid) && !isRejectedRail(body);
  const order = fields(body.order);
  const moves = [order.bought, order.sold].some((amount) => Number(amount ?? 0) !== 0);
  return (
    moves ||
    (isSaid(order.ordstatus) &&
      !/^(ok|success)$/i.test(String(order.ordstatus)) &&
      !isRefusing(String(order.ordstatus)))
  );
}

/** Words by which venues call an order refused or unfilled. */
function isRefusing(word: string): boolean {
  const words =
    "error fail failed failure reject rejected refused deny denied declined killed canceled cancelled expired";
  return [...words.split(" "), "unfilled", "notfilled"].includes(spelling(word));
}

type Fields = Record<string, unknown>;

function plain(text: string): Fields | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? fields(body) : undefined;
  } catch {
    return undefined;
  }
}

/** Members that are not null, whatever the case of their names. */
function fields(value: unknown): Fields {
  if (typeof value !== "object" || value === null) return {};
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name.toLowerCase().replaceAll("_", ""), member]));
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function spelling(code: unknown): string {
  return String(code).toLowerCase().replaceAll(/[- _]/g, "");
}
