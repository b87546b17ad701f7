// A live configuration that names every key there is, as data; tests bend one thing in it and see it refused.

import { stringify } from "yaml";
import { parseConfig } from "../../src/config/load.ts";
import { mistakeLine } from "../../src/config/mistake.ts";
import { presets } from "../../src/exchange/profile.ts";

export type Plain = { [key: string]: unknown };

const fee = () => ({ from: "2026-07-01", until: "2026-12-31", bps: 30, tiers: [{ above: "1000000", bps: 20 }] });

export function completeConfig(): Plain {
  return {
    mode: "live",
    confirm: "trade real money on test",
    venue: {
      baseUrl: "https://venue.example/api/v1/",
      environment: "test",
      proxy: "http://proxy.internal:3128",
      profile: { preset: "observed", ...presets.contract },
      instruments: { "VCHF/USDC": { quantityMin: "30", quantityDecimals: 5, priceDecimals: 6 } },
    },
    shadow: {
      funds: { CHF: "50000" },
      ...{ feeBps: 5, impactBps: 2, refusedPercent: 3, refillMs: 60_000, halfSpreadBps: 10 },
    },
    key: { file: "./keys/test.pem", publicKey: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE" },
    paper: { funds: { CHF: "250000" }, speed: 1 },
    market: {
      references: [
        {
          kind: "kraken-rest",
          name: "kraken",
          symbols: ["GBP/USD", "USD/CHF"],
          derive: ["GBP/CHF"],
          url: "https://kraken.example/0/public/Ticker",
          everyMs: 1_000,
        },
      ],
      par: { "VCHF/CHF": 50 },
      parFair: ["VCHF/CHF"],
      sourcesMin: { "VCHF/CHF": 2 },
      bands: { "GBP/CHF": { low: 0.8, high: 2 } },
      weekend: "closed",
      weekendCollarBps: 20,
      holidays: ["2026-12-28"],
    },
    strategy: { use: "peg-arbitrage", params: { edgeBps: 8 } },
    risk: {
      currency: "CHF",
      symbols: ["VCHF/CHF"],
      orderValueMax: "50000",
      orderQuantityMax: { "VCHF/CHF": "50000" },
      assetExposureMax: "300000",
      grossExposureMax: "600000",
      depegLossBpsMax: 400,
      depegAssumedBps: 1_200,
      issuerLossBpsMax: 6_000,
      issuerEndBps: 6_000,
      dailyLossBpsMax: 50,
      drawdownBpsMax: 100,
      markAgeMsMax: 900_000,
      markHaircutBps: 200,
      collarBps: 50,
      collarHardBps: 200,
      exit: { collarBps: 100, floorBps: 3_000, orderValueMax: "25000", perDayMax: "200000" },
      referenceAgeMsMax: 5_000,
      referenceSourcesMin: 2,
      referenceSpreadBpsMax: 30,
      ordersPerMinuteMax: 6,
      ordersPerDayMax: 200,
      turnoverPerHourMax: "500000",
      turnoverPerDayMax: "2000000",
      rejectsPerSymbolMax: 5,
      rejectsMax: 10,
      rejectFreezeMs: 900_000,
      lossesMax: 5,
      lossFreezeMs: 900_000,
      adverseBpsMax: 1,
      duplicateWindowMs: 30_000,
      offsetWindowMs: 60_000,
      doubtsPerAssetMax: 1,
      doubtsMax: 2,
      doubtAgeMsMax: 900_000,
      reserveBpsMin: 500,
      feeBpsMax: 10,
      feesPerDayMax: "500",
      decisionAgeMsMax: 3_000,
      rampOrders: 50,
      rampSizeBps: 1_000,
      heartbeatMsMax: 900_000,
    },
    notices: {
      webhook: { urlEnv: "WEBHOOK" },
      telegram: {
        tokenFile: "./keys/telegram",
        chatId: "-100",
        commands: true,
        approvers: [1234567],
        apiRoot: "https://telegram.example",
      },
      fillValueMin: "5000",
      repeatMs: 600_000,
      perHourMax: 20,
    },
    protocol: {
      windowMsMin: 180_000,
      windowPerDelay: 12,
      negatives: 4,
      releaseBpsMax: 100,
      acknowledgedMin: 300,
      escalateAfterMs: 600_000,
      fenceRetryMs: 5_000,
      lookMsMax: 90_000,
      balancesMsMax: 150_000,
    },
    treasury: {
      targets: { VCHF: { low: "50000", target: "100000", high: "150000" } },
      approvals: {
        automatic: true,
        lookMs: 60_000,
        orderValueMax: "5000",
        mintValueMax: "150000",
        railValueMax: "50000",
        costBpsMax: 10,
        dayValueMax: "200000",
        expiryMs: 600_000,
        persons: 2,
        people: [{ name: "anna" }, { name: "ben" }],
        byHand: true,
      },
      planning: {
        returnTo: "edge",
        elsewhere: { "CHF@BANK": "500000" },
        capitalBpsPerYear: 500,
        riskBpsPerDay: 5,
        stepCost: "0.1",
        orders: { slippageBps: 1, ordersMax: 5, feeBps: 1, fees: [fee()], refillMs: 30_000 },
        mints: { VCHF: { chain: "ETH", fees: [{ ...fee(), fixed: "30", minimum: "5" }] } },
        rails: {},
        unused: [
          { from: "2026-07-01", until: "2026-12-31", above: "100000", currency: "USD", bps: 300, spentBps: 7_500 },
        ],
      },
      mint: {
        feeBpsMax: 10,
        quantityMax: {},
        perDayMax: {},
        minimum: "100000",
        minimumCurrency: "GBP",
        saltDecimals: 2,
      },
      destinations: {},
      rails: {},
    },
    conversions: {
      coins: { keep: "VGBP", low: "1000", target: "2000", high: "3000", withinHours: 4, maxCostBps: 8 },
      friday: { from: "VCHF", to: "CHF", amount: "all", every: "friday", at: "14:00" },
    },
    journal: { path: "./data/pegbot.db", openingCosts: { VCHF: "0.9985" } },
    server: {
      host: "127.0.0.1",
      port: 8787,
      reads: "open",
      tls: { certFile: "./tls/cert.pem", keyFile: "./tls/key.pem" },
      names: ["bot.example"],
    },
  };
}

/** The mistakes of some settings, one line each; none when they are accepted. */
export function mistakesOf(settings: Plain | string, environment: Record<string, string> = {}): string[] {
  const text = typeof settings === "string" ? settings : stringify(settings);
  const parsed = parseConfig(text, "/home/user/pegbot.yaml", environment);
  return parsed.ok ? [] : parsed.error.map((mistake) => mistakeLine("pegbot.yaml", mistake));
}

/** The mapping at a path of some settings. */
export function mappingAt(settings: Plain, path: readonly string[]): Plain {
  return path.reduce<Plain>((mapping, key) => mapping[key] as Plain, settings);
}
