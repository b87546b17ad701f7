// Trading profit, and prices with what was paid, over one span of time: drag zooms, a double click shows all again, the
// wheel moves, the cursor is shared. A marker stands at its price and opens its row.

import type uPlotLibrary from "uplot";
import type { FillShown, Mark, PageData } from "../model.ts";
import { rowsOf, SPANS, view } from "./app.ts";

declare const uPlot: typeof uPlotLibrary;

type Line = { readonly label: string; readonly ink: string; readonly fill?: boolean; readonly of: string };
const PROFIT: readonly Line[] = [
  { label: "trading", ink: "--main", of: "trading" },
  { label: "below its peak", ink: "--loss", fill: true, of: "" },
];

/** As rgb(...): a canvas knows neither variables nor the two themes. */
function ink(name: string): string {
  const known = inks.get(name);
  if (known !== undefined) return known;
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  inks.set(name, color);
  return color;
}

/** Until the theme changes. */
const inks = new Map<string, string>();

/** Seconds, minutes or days, as the steps of the axis need. */
function timeOf(at: number, step: number): string {
  const text = new Date(at * 1_000).toISOString();
  return step >= 86_400 ? text.slice(5, 10) : text.slice(11, step < 60 ? 19 : 16);
}

function plot(
  place: HTMLElement,
  height: number,
  lines: readonly Line[],
  decimals: number,
  marks: (u: uPlotLibrary) => void,
) {
  const axis = {
    stroke: ink("--muted"),
    font: "11px system-ui",
    grid: { stroke: ink("--line"), width: 1 },
    ticks: { show: false },
  };
  // What is filled down to zero shows how far from it that is.
  const isFilled = lines.some(({ fill }) => fill);
  const range = (_: uPlotLibrary, low: number | null, high: number | null): uPlotLibrary.Range.MinMax => {
    if (low === null || high === null) return [null, null];
    return isFilled ? [Math.min(0, low), Math.max(0, high)] : uPlot.rangeNum(low, high, 0.1, true);
  };
  return new uPlot(
    {
      ...{ width: place.clientWidth, height, padding: [8, 28, 0, 0] },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC"),
      cursor: { sync: { key: "time" }, drag: { x: true, y: false }, points: { size: 5 } },
      scales: { x: { time: true }, y: { range } },
      axes: [
        { ...axis, space: 80, size: 26, values: (_, splits, __, ___, step) => splits.map((at) => timeOf(at, step)) },
        { ...axis, size: 64, space: 24, values: (_, splits) => splits.map((value) => value.toFixed(decimals)) },
      ],
      series: [
        {
          label: "UTC",
          value: pointed((at) => new Date(at * 1_000).toISOString().slice(5, 19).replace("T", " ")),
        },
        ...lines.map(({ label, ink: name, fill }) => ({
          label,
          stroke: ink(name),
          width: 1.5,
          ...(fill ? { fillTo: 0, fill: ink(name).replace(")", " / 13%)").replaceAll(",", "") } : {}),
          spanGaps: false,
          points: { show: false },
          value: pointed((value) => value.toFixed(decimals)),
        })),
      ],
      hooks: { draw: [drawEvents, marks] },
    },
    [[], ...lines.map(() => [])] as unknown as uPlotLibrary.AlignedData,
    place,
  );
}

/** What the cursor points at; the last there is while it is elsewhere. */
function pointed(text: (value: number) => string) {
  return (u: uPlotLibrary, value: number | null, series: number, row: number | null): string => {
    const shown = row === null || row === undefined ? u.data?.[series]?.at(-1) : value;
    return shown === null || shown === undefined ? "\u2013" : text(shown);
  };
}

/** Buys point up, sales down, at the price paid. */
function drawFills(u: uPlotLibrary, fills: readonly Mark[]): void {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  const inks = { buy: ink("--buy"), sell: ink("--sell") };
  for (const { at, side, price } of fills) {
    const [x, y] = [u.valToPos(at / 1_000, "x", true), u.valToPos(price, "y", true)];
    const up = side === "buy" ? 1 : -1;
    ctx.fillStyle = side === "buy" ? inks.buy : inks.sell;
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x - 5, y + 9 * up);
    ctx.lineTo(x + 5, y + 9 * up);
    ctx.fill();
  }
  ctx.restore();
}

/** Halts and starts, as lines through all charts. */
function drawEvents(u: uPlotLibrary): void {
  const { ctx, bbox } = u;
  const { min = 0, max = 0 } = u.scales.x ?? {};
  const inks = { halt: ink("--loss"), start: ink("--quiet") };
  ctx.save();
  ctx.setLineDash([4, 4]);
  for (const [at, kind] of view.data?.events ?? []) {
    if (at / 1_000 < (min ?? 0) || at / 1_000 > (max ?? 0)) continue;
    const x = u.valToPos(at / 1_000, "x", true);
    ctx.strokeStyle = inks[kind];
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

export class Charts {
  #plots: uPlotLibrary[] = [];
  #drawn = "";
  #askedAt = 0;
  /** How far the wheel has moved the window back, in milliseconds. */
  #back = 0;
  #zoomed = false;
  #marks: readonly Mark[] = [];

  readonly #select: (fill: FillShown) => void;

  constructor(select: (fill: FillShown) => void) {
    this.#select = select;
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#forget());
    addEventListener("resize", () => {
      for (const one of this.#plots)
        one.setSize({ width: (one.root.parentElement as HTMLElement).clientWidth, height: one.height });
    });
  }

  #forget(): void {
    for (const one of this.#plots) one.destroy();
    this.#plots = [];
    this.#drawn = "";
    inks.clear();
  }

  #make(pair: string): void {
    this.#forget();
    const [profit, prices, premium] = ["profit", "prices", "premium"].map(
      (id) => document.getElementById(`chart-${id}`) as HTMLElement,
    );
    if (profit === undefined || prices === undefined || premium === undefined) return;
    const fills = (u: uPlotLibrary) => drawFills(u, this.#marks);
    const lines: readonly Line[] = ["bid", "ask", "fair"].map((name) => ({
      label: name,
      ink: name === "fair" ? "--main" : "--muted",
      of: `${pair} ${name}`,
    }));
    const wanted = view.data?.status.edgeWantedBps;
    const beyond = { label: `edge above the least wanted, ${wanted} bp`, ink: "--second", fill: true, of: "" };
    const premiums = [
      { label: "premium to fair, bp", ink: "--second", of: "" },
      ...(wanted === undefined ? [] : [beyond]),
    ];
    this.#plots = [
      plot(profit, 170, PROFIT, 2, () => {}),
      plot(prices, 200, lines, 5, fills),
      plot(premium, 90, premiums, 1, () => {}),
    ];
    for (const one of this.#plots) {
      one.over.addEventListener("wheel", (event) => this.#pan(event), { passive: false });
      one.over.addEventListener("mouseup", () =>
        setTimeout(() => {
          this.#zoomed = true;
        }),
      );
      one.over.addEventListener("dblclick", () => {
        this.#zoomed = false;
        this.#back = 0;
        this.#askedAt = 0;
      });
    }
    this.#plots[1]?.over.addEventListener("click", () => this.#pick());
  }

  #pan(event: WheelEvent): void {
    event.preventDefault();
    const [, spanMs] = SPANS[view.span] ?? SPANS[0];
    this.#back = Math.max(0, this.#back - (Math.sign(event.deltaY) * spanMs) / 10);
    this.#askedAt = 0;
  }

  /** The fill next to the cursor. */
  #pick(): void {
    const u = this.#plots[1];
    const { left = -1, top = -1 } = u?.cursor ?? {};
    if (u === undefined || view.data === undefined) return;
    const near = view.data.fills.find(
      ({ symbol, at, price }) =>
        symbol === view.pair &&
        Math.abs(u.valToPos(at / 1_000, "x") - left) < 8 &&
        Math.abs(u.valToPos(price, "y") - top) < 14,
    );
    if (near !== undefined) this.#select(near);
  }

  /** Called with each second's data: asks for rows as often as the span shows a difference. */
  async show({ status }: PageData): Promise<void> {
    const { pair } = view;
    const [, spanMs] = SPANS[view.span] ?? SPANS[0];
    if (pair === undefined) return;
    const key = `${pair} ${view.span}`;
    if (key !== this.#drawn) {
      this.#make(pair);
      this.#drawn = key;
      this.#askedAt = 0;
      this.#back = 0;
      this.#zoomed = false;
    }
    if (this.#zoomed || status.at - this.#askedAt < spanMs / 1_200) return;
    this.#askedAt = status.at;
    const to = status.at - this.#back;
    const of = ["trading", ...["bid", "ask", "fair"].map((name) => `${pair} ${name}`)];
    const rows = await rowsOf(to - spanMs, of, pair);
    if (rows === undefined || this.#drawn !== key) return;
    this.#marks = rows.fills;
    const kept = rows.time.findLastIndex((time) => time * 1_000 <= to) + 1;
    const time = rows.time.slice(0, kept);
    const [trading = [], bid = [], ask = [], fair = []] = rows.columns.map((column) => column.slice(0, kept));
    const first = trading.find((value) => value !== null) ?? 0;
    const zeroed = trading.map((value) => (value === null ? null : value - first));
    let peak = 0;
    const below = zeroed.map((value) => {
      if (value === null) return null;
      peak = Math.max(peak, value);
      return value - peak;
    });
    const premium: (number | null)[] = [];
    const beyond: (number | null)[] = [];
    for (const at of time.keys()) {
      const [low, high, value] = [bid[at], ask[at], fair[at]];
      const isKnown = low != null && high != null && value != null;
      premium.push(isKnown ? ((low + high) / 2 / value - 1) * 1e4 : null);
      const edge = isKnown ? Math.max(1 - high / value, low / value - 1) * 1e4 : Number.NaN;
      beyond.push(edge > (status.edgeWantedBps ?? Number.NaN) ? (premium[at] ?? null) : null);
    }
    const sets = [
      [time, zeroed, below],
      [time, bid, ask, fair],
      [time, premium, ...(this.#plots[2]?.series.length === 3 ? [beyond] : [])],
    ];
    for (const [index, one] of this.#plots.entries()) one.setData(sets[index] as unknown as uPlotLibrary.AlignedData);
    document.body.dataset.drawn = String(time.length);
  }
}
