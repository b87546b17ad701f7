// The optional package ccxt: what of it is used, and how it is found. Undefined when it is not installed.

export type CcxtTicker = {
  readonly symbol: string;
  readonly bid?: unknown;
  readonly ask?: unknown;
  readonly bidVolume?: unknown;
  readonly askVolume?: unknown;
  readonly timestamp?: unknown;
};

export interface CcxtExchange {
  readonly urls: { api: string | Record<string, unknown> };
  readonly has: Readonly<Record<string, unknown>>;
  fetchTickers(symbols: readonly string[]): Promise<Record<string, CcxtTicker>>;
  fetchTicker(symbol: string): Promise<CcxtTicker>;
}

export type Ccxt = { readonly exchanges: readonly string[] } & Readonly<Record<string, unknown>>;

export type LoadCcxt = () => Promise<Ccxt | undefined>;

export async function loadCcxt(): Promise<Ccxt | undefined> {
  try {
    const { default: ccxt } = (await import("ccxt")) as { readonly default: Ccxt };
    return ccxt;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
