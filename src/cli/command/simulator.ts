// `simulator`: the service in a box, for any client.

import { type Command, Option } from "commander";
import type { SimulatorFlags } from "../action/simulator.ts";
import { group } from "../command-group.ts";
import { wholeNumber } from "../option/whole-number.ts";
import type { Run } from "../shell.ts";

export function registerSimulator(program: Command, run: Run): void {
  program
    .command("simulator")
    .helpGroup(group.venue)
    .description("run a simulated venue on loopback: API, portal, reference feeds, faults on demand")
    .option("--port <n>", "port on 127.0.0.1; 0 takes a free one", wholeNumber(0, 65_535), 8_700)
    .option("--seed <n>", "the same seed gives the same venue and prices", wholeNumber(0, 2 ** 31 - 1), 1)
    .addOption(new Option("--profile <name>", "shape of answers").choices(["contract", "observed"]).default("contract"))
    .option("--strict", "take signed requests only in the form of the profile", false)
    .option("--speed <n>", "of settlement time (mints, rails, payments) only", wholeNumber(1, 1_000_000), 1)
    .option("--faults <file>", "fault rules, YAML or JSON")
    .option("--state <file>", "keep the state in this file and go on from it")
    .option("--key <publicKey>", "register this key, with KYB and agreements done")
    .option("--fund <amounts>", "credit the key, for example CHF=1000000,GBP=500000")
    .action((flags: SimulatorFlags) =>
      run(async (shell) => (await import("../action/simulator.ts")).simulator(shell, flags)),
    );
}
