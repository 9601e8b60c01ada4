/** A reporter of Vitest that names each test which passed at the second try only. */
export default class NameSecondTries {
  onTestCaseResult(test) {
    // One that is to fail is tried again since it has failed.
    if (test.diagnostic()?.flaky && !test.options.fails) {
      process.stdout.write(`\nNeeded a second try: ${test.module.moduleId} > ${test.fullName}\n`);
    }
  }
}
