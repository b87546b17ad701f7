// The API calls by name: their path and method, and the access they need.

export type Endpoint = {
  readonly name: EndpointName;
  readonly path: string;
  readonly access: "public" | "signed";
  /** The body format of the contract; the profile may allow JSON for form calls too. */
  readonly body: "none" | "form" | "json";
};

export const API_PREFIX = "/api/v1";

const publicNames = ["assets", "tradingPairs", "quotes"] as const;
const formNames = [
  "accountBalance",
  "addOrder",
  "queryOrders",
  "queryTrades",
  "queryPaymentRails",
  "queryPayments",
  "mintTokens",
  "querySupplyChanges",
  "withdrawAddresses",
  "depositAddress",
] as const;

export type EndpointName = (typeof publicNames)[number] | (typeof formNames)[number] | "addPaymentRail";

export const ENDPOINTS: readonly Endpoint[] = [
  ...publicNames.map((name): Endpoint => ({ name, path: `/client/${name}`, access: "public", body: "none" })),
  ...formNames.map((name): Endpoint => ({ name, path: `/private/${name}`, access: "signed", body: "form" })),
  { name: "addPaymentRail", path: "/private/addPaymentRail", access: "signed", body: "json" },
];

export const ENDPOINT_NAMES = ENDPOINTS.map((endpoint) => endpoint.name) as [EndpointName, ...EndpointName[]];
const byPath = new Map(ENDPOINTS.map((endpoint) => [API_PREFIX + endpoint.path, endpoint]));

export function endpointAt(path: string): Endpoint | undefined {
  return byPath.get(path);
}
