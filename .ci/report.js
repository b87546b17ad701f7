// Prints `N passed, M failed` from the report that the test runner wrote, and exits as the run deserves. A file that broke
// before its tests, and a run that failed without a failed test, count as one failure each.
import { existsSync, readFileSync } from "node:fs";

const [reportFile, status] = process.argv.slice(2);
const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, "utf8")) : undefined;
if (report === undefined) process.stdout.write("no report: the tests did not run to their end\n");

const passed = report?.numPassedTests ?? 0;
const brokenFiles = (report?.testResults ?? []).filter(
  (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
);
const counted = (report?.numFailedTests ?? 0) + brokenFiles.length;
const failed = counted === 0 && (status !== "0" || report === undefined) ? 1 : counted;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
