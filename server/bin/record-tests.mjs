// A Vitest reporter. Writes what `test.mjs` prints at its end to the file that `TEST_RECORD` names:
// `{ passed, failed: [{ name, output }], flaky: [name], isOnlyFlaky, slow: [{ name, milliseconds }] }`.
import { writeFileSync } from 'node:fs';
import { inspect } from 'node:util';

/** Slow tests that are recorded. */
const slowest = 10;

export default class RecordTests {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()].map(describe));
    const flaky = tests.filter(({ isFlaky }) => isFlaky);
    const flakyFiles = new Set(flaky.map(({ file }) => file));
    const [left, fatal] = partition(unhandledErrors, (error) =>
      flakyFiles.has(error.VITEST_TEST_PATH),
    );
    const record = {
      passed: tests.filter(({ state }) => state === 'passed').length,
      failed: [
        ...fatal.map((error) => ({ name: 'Outside of tests', output: print(error) })),
        ...modules.flatMap(faultsOf),
        ...tests.filter(({ state }) => state === 'failed'),
      ],
      flaky: flaky.map(({ name }) => name),
      // A failed first try closes its servers, so requests that it no longer awaits are rejected.
      isOnlyFlaky: left.length > 0,
      slow: tests.sort((one, other) => other.milliseconds - one.milliseconds).slice(0, slowest),
    };
    writeFileSync(process.env.TEST_RECORD, JSON.stringify(record));
  }
}

/** The items for which a condition holds, and the others. */
function partition(items, condition) {
  return [items.filter(condition), items.filter((item) => !condition(item))];
}

function describe(test) {
  const { state, errors = [] } = test.result();
  const { duration = 0, flaky = false } = test.diagnostic() ?? {};
  return {
    file: test.module.moduleId,
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

/** An error, or any other value that was thrown, and the test that ran at that time. */
function print(error) {
  const { stack, VITEST_TEST_PATH: path, VITEST_TEST_NAME: name } = error;
  const during = path && `while ${path} > ${name ?? '(outside of its tests)'} ran`;
  return [stack ?? inspect(error, { depth: 3 }), during].filter(Boolean).join('\n');
}
