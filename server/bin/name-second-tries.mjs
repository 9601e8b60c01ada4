/** A Vitest reporter that lists flaky tests: those that passed only on retry. */
export default class NameSecondTries {
  onTestCaseResult(test) {
    // Tests that are expected to fail are retried because they failed.
    if (test.diagnostic()?.flaky && !test.options.fails) {
      process.stdout.write(`\nNeeded a second try: ${test.module.moduleId} > ${test.fullName}\n`);
    }
  }
}
