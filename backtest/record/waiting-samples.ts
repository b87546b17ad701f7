// Samples whose worth is worked out later, many at once: while a run goes on it is kept what was held, and to value a
// hundred samples one after the other takes a part of what it takes each by itself, between two turns of the bot.

import type { Asset } from "../../src/domain/asset.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import type { RunRecorder, Sampled } from "./run-recorder.ts";

const ROWS = 256;

export class WaitingSamples {
  readonly #recorder: Pick<RunRecorder, "sample">;
  readonly #width: number;
  /** Time, then held and in flight of each asset. */
  readonly #rows: Float64Array;
  #length = 0;
  /** Where the last row is, whether or not it waits, and of which books. */
  #last = 0;
  #version = Number.NaN;
  /** Of the sample that is being valued. */
  #row = 0;
  readonly #sampled: Sampled;

  constructor(
    recorder: Pick<RunRecorder, "sample">,
    assets: readonly Asset[],
    rateAt: (asset: Asset, at: Millis) => number,
  ) {
    this.#recorder = recorder;
    const width = 1 + 2 * assets.length;
    const rows = new Float64Array(ROWS * width);
    this.#width = width;
    this.#rows = rows;
    this.#sampled = {
      held: (_, place) => rows[this.#row + 1 + 2 * place] as number,
      inFlight: (_, place) => rows[this.#row + 2 + 2 * place] as number,
      rate: (asset) => rateAt(asset, millis(rows[this.#row] as number)),
    };
  }

  /** Of books with this version: while it is that of the last sample, nothing is asked for. */
  add(at: Millis, sampled: Pick<Sampled, "held" | "inFlight">, assets: readonly Asset[], version: number): void {
    if (this.#length === ROWS) this.flush();
    const cell = this.#length++ * this.#width;
    if (version === this.#version) this.#rows.copyWithin(cell, this.#last, this.#last + this.#width);
    else this.#ask(cell + 1, sampled, assets);
    this.#rows[cell] = at;
    this.#last = cell;
    this.#version = version;
  }

  #ask(from: number, { held, inFlight }: Pick<Sampled, "held" | "inFlight">, assets: readonly Asset[]): void {
    let cell = from;
    for (let place = 0; place < assets.length; place++) {
      this.#rows[cell++] = held(assets[place] as Asset, place);
      this.#rows[cell++] = inFlight(assets[place] as Asset, place);
    }
  }

  /** Before anything that is to be recorded or valued after them. */
  flush(): void {
    for (let sample = 0; sample < this.#length; sample++) {
      this.#row = sample * this.#width;
      this.#recorder.sample(millis(this.#rows[this.#row] as number), this.#sampled);
    }
    this.#length = 0;
  }
}
