// The charts of the page: equity, and for each pair on show its price against fair value with every order on it, and the
// premium to par.

import { said } from "../../chart/page/format.js";
import { refresh, timeChart } from "../../chart/page/time-chart.js";
import { empty, make, put, say } from "./dom.js";
import { clock } from "./format.js";

const NEW = { time: [], lines: [], marks: [] };

/** A panel with a chart that follows the present: title, the values under the cursor or the last ones, and its marks. */
export class LiveChart {
  constructor(panel, { title, unit, height, missing, lines, marks = [] }) {
    this.spec = { unit, height, missing, lines, marks };
    this.drawn = NEW;
    this.window = [0, 1];
    this.values = lines.map(() => make("dd", {}, "\u2013"));
    this.labels = lines.map(({ label }) => make("dt", {}, label));
    this.when = make("small");
    // The values are text too, next to the title.
    this.place = make("div", { class: "plot", role: "img", "aria-label": `chart: ${title}` });
    this.keys = make("ul", { class: "keys" });
    const readout = lines.map(({ ink }, index) =>
      make("div", { class: `ink-${ink}` }, this.labels[index], this.values[index]),
    );
    put(
      panel,
      make("h2", {}, title, " ", this.when, make("dl", { class: "readout" }, ...readout)),
      this.place,
      this.keys,
    );
    this.shape = new ResizeObserver(() => this.resize());
    this.shape.observe(this.place);
  }

  /** `columns[i]` belongs to `lines[i]`; `marks[i]` is a list of moments and values. */
  show({ time, columns, marks = [], window, missing = this.spec.missing }) {
    this.window = window;
    const { lines, marks: kinds } = this.spec;
    const seen = columns.some((column) => column.some((value) => value !== null));
    if (time.length < 2 || !seen) {
      this.forget();
      put(this.place, empty(missing));
      return;
    }
    this.drawn = {
      kind: "time",
      unit: this.spec.unit,
      time,
      lines: lines.map((line, index) => ({ ...line, values: columns[index] })),
      marks: kinds.map((kind, index) => ({ ...kind, ...(marks[index] ?? { time: [], value: [] }) })),
    };
    if (this.plot === undefined) this.draw();
    else {
      this.chart.drawn = this.drawn;
      refresh(this.plot, this.chart);
    }
    if (!this.isPointed) this.read(undefined);
    const keys = this.drawn.marks.filter(({ time: at }) => at.length > 0);
    put(
      this.keys,
      ...keys.map(({ label, ink, time: at }) => make("li", { class: `mark-${ink}` }, `${label} (${at.length})`)),
    );
  }

  draw() {
    put(this.place);
    this.chart = {
      drawn: this.drawn,
      height: this.spec.height,
      legend: false,
      window: () => this.window,
      pointed: (index) => this.read(index),
    };
    this.plot = timeChart(this.place, this.chart);
    this.place.dataset.drawn = "yes";
  }

  /** The values at one moment; those of now without a pointer. One that was not known then is not shown as one of before. */
  read(index) {
    const { time, lines } = this.drawn;
    this.isPointed = index !== undefined && index !== null && this.plot?.cursor.left >= 0;
    const at = this.isPointed ? index : time.length - 1;
    lines.forEach(({ values, label, past = label }, line) => {
      say(this.labels[line], this.isPointed ? past : label);
      say(this.values[line], said(values[at], this.spec.unit));
    });
    say(this.when, this.isPointed && time[at] !== undefined ? clock(time[at] * 1_000) : "");
  }

  resize() {
    const width = this.place.clientWidth;
    if (this.plot !== undefined && width > 0 && width !== this.plot.width)
      this.plot.setSize({ width, height: this.spec.height });
  }

  /** In new colours. */
  redraw() {
    if (this.plot === undefined) return;
    this.plot.destroy();
    this.draw();
  }

  forget() {
    this.plot?.destroy();
    this.plot = undefined;
    delete this.place.dataset.drawn;
    if (this.drawn !== NEW) put(this.place);
    this.drawn = NEW;
    put(this.keys);
  }

  close() {
    this.forget();
    this.shape.disconnect();
  }
}

export function equityChart(panel) {
  return new LiveChart(panel, {
    title: "Equity",
    unit: "money",
    height: 150,
    lines: [{ label: "now", past: "then", ink: "main" }],
  });
}

/** Price, fair value and orders of one pair; below it the premium where the pair has a par. */
export class PairCharts {
  constructor(place, { symbol, parBandBps }) {
    this.symbol = symbol;
    this.root = make("section", { class: "panel pair", "data-pair": symbol });
    const panels = ["price", ...(parBandBps === undefined ? [] : ["premium"])].map((name) =>
      make("div", { class: "chart", "data-chart": `${name} ${symbol}` }),
    );
    this.root.append(...panels);
    place.append(this.root);
    this.price = new LiveChart(panels[0], {
      title: symbol,
      unit: "price",
      height: 190,
      missing: "no price of this pair was seen yet",
      lines: [
        { label: "bid", ink: "quiet" },
        { label: "ask", ink: "quiet", fill: "before" },
        { label: "fair", ink: "main" },
      ],
      marks: [
        { label: "buys", ink: "buy", shape: "up" },
        { label: "sells", ink: "sell", shape: "down" },
        { label: "not filled", ink: "loss", shape: "cross" },
      ],
    });
    if (parBandBps === undefined) return;
    this.premium = new LiveChart(panels[1], {
      title: `Premium to par, band ${parBandBps} bp`,
      unit: "bps",
      height: 110,
      missing: "no price of this pair was seen yet",
      lines: [{ label: "mid", ink: "second", fill: "zero" }],
    });
  }

  show({ rows, window, fills, misses }) {
    const [bid, ask, fair] = ["bid", "ask", "fair"].map((name) => rows.column(`${this.symbol} ${name}`));
    const { time } = rows;
    const here = ({ symbol, at }) => symbol === this.symbol && at / 1_000 >= window[0];
    const marked = (list, valued) => ({ time: list.map(({ at }) => at / 1_000), value: list.map(valued) });
    const filled = (side) =>
      marked(
        fills.filter((fill) => here(fill) && fill.side === side),
        (fill) => fill.price,
      );
    const marks = [filled("buy"), filled("sell"), marked(misses.filter(here), ({ limit }) => limit)];
    this.price.show({ time, columns: [bid, ask, fair], marks, window });
    const premium = time.map((_, at) =>
      bid[at] === null || ask[at] === null ? null : ((bid[at] + ask[at]) / 2 - 1) * 1e4,
    );
    this.premium?.show({ time, columns: [premium], window });
  }

  redraw() {
    this.price.redraw();
    this.premium?.redraw();
  }

  close() {
    this.price.close();
    this.premium?.close();
    this.root.remove();
  }
}
