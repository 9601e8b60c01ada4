// A Vitest reporter. Writes what `test.mjs` prints at its end to the file that `TEST_RECORD` names:
// `{ passed, failed: [{ name, output }], flaky: [name], slow: [{ name, milliseconds }] }`.
import { writeFileSync } from 'node:fs';

/** Slow tests that are recorded. */
const slowest = 10;

export default class RecordTests {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()].map(describe));
    const record = {
      passed: tests.filter(({ state }) => state === 'passed').length,
      failed: [
        ...unhandledErrors.map((error) => ({ name: 'Outside of tests', output: print(error) })),
        ...modules.flatMap(faultsOf),
        ...tests.filter(({ state }) => state === 'failed'),
      ],
      flaky: tests.filter(({ isFlaky }) => isFlaky).map(({ name }) => name),
      slow: tests.sort((one, other) => other.milliseconds - one.milliseconds).slice(0, slowest),
    };
    writeFileSync(process.env.TEST_RECORD, JSON.stringify(record));
  }
}

function describe(test) {
  const { state, errors = [] } = test.result();
  const { duration = 0, flaky = false } = test.diagnostic() ?? {};
  return {
    name: `${test.module.relativeModuleId} > ${test.fullName}`,
    state,
    output: errors.map(print).join('\n'),
    milliseconds: duration,
    // Tests that are expected to fail are retried because they failed.
    isFlaky: flaky && !test.options.fails,
  };
}

/** Errors of a file and its groups outside of their tests: in imports and hooks. */
function faultsOf(module) {
  return [module, ...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map((error) => ({ name: module.relativeModuleId, output: print(error) })),
  );
}

function print(error) {
  return error.stack ?? `${error.name}: ${error.message}`;
}
