/** A reporter of Vitest that names each test which passed at the second try only. */
export default class TellSecondTries {
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) {
      process.stdout.write(`\nNeeded a second try: ${test.module.moduleId} > ${test.fullName}\n`);
    }
  }
}
