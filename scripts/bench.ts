// `npm run bench NAME`: one bench. Benches print ratios of user CPU measured in one run; those with a goal end with 1 where it is missed.

const NAMES = ["backtest", "budget", "cold-start", "gate", "journal", "start"];

const [name = ""] = process.argv.splice(2, 1);
if (NAMES.includes(name)) await import(`../bench/${name}.ts`);
else {
  process.stderr.write(`name a bench: ${NAMES.join(", ")}\n`);
  process.exitCode = 2;
}
