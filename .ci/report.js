// Prints `N passed, M failed`, summed over the reports that the test runner wrote, and exits as the run deserves. A report that
// is missing, a file that broke before its tests, and a run that failed without a failed test count as one failure each.
import { existsSync, readFileSync } from "node:fs";

const [status, ...files] = process.argv.slice(2);
const counts = files.map(countsOf);
const passed = counts.reduce((sum, one) => sum + one.passed, 0);
const counted = counts.reduce((sum, one) => sum + one.failed, 0);
const failed = counted === 0 && (status !== "0" || files.length === 0) ? 1 : counted;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

function countsOf(file) {
  if (!existsSync(file)) {
    process.stdout.write(`no report ${file}: its tests did not run to their end\n`);
    return { passed: 0, failed: 1 };
  }
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(file, "utf8"));
  const broken = testResults.filter(
    (one) => one.status === "failed" && !one.assertionResults.some((test) => test.status === "failed"),
  );
  return { passed: numPassedTests, failed: numFailedTests + broken.length };
}
