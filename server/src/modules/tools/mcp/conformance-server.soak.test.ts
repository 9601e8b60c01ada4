import { afterAll, beforeAll, expect, test } from 'vitest';
import { conformanceSuite } from '../../../testing/conformance-suite.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';

const suite = conformanceSuite();

const files = {
  'prompts/test_simple_prompt.json': {
    id: 'test_simple_prompt',
    name: 'Simple',
    prompt: 'This is a simple prompt for testing.',
  },
  'prompts/test_prompt_with_arguments.json': {
    id: 'test_prompt_with_arguments',
    name: 'With arguments',
    prompt: "Prompt with arguments: arg1='[arg1]', arg2='[arg2]'",
    variables: [
      { name: 'arg1', required: true },
      { name: 'arg2', required: true },
    ],
  },
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ files });
});
afterAll(() => server.close());

const newestScenarios = [
  ['sep-2640-skills-enumeration', 30],
  ['sep-2640-skills-manifest', 5],
  ['sep-2640-skills-directory', 6],
  ['caching', 7],
  ['http-header-validation', 13],
  ['dns-rebinding-protection', 2],
  ['sep-2164-resource-not-found', 3],
  ['tools-list', 3],
  ['prompts-list', 1],
  ['prompts-get-simple', 1],
  ['prompts-get-with-args', 1],
  ['resources-list', 1],
] as const;

test.each(newestScenarios)('%s', async (scenario, checks) => {
  const verdict = await suite.run('server', scenario, ['--url', `${server.url}/mcp`]);
  expect(verdict.failed, verdict.output).toEqual([]);
  expect(verdict.passed).toBeGreaterThanOrEqual(checks);
});

const olderScenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'prompts-list',
  'resources-list',
];

test.each(olderScenarios)('%s in revision 2025-11-25', async (scenario) => {
  const args = ['--url', `${server.url}/mcp`, '--spec-version', '2025-11-25'];
  const verdict = await suite.run('server', scenario, args);
  expect(verdict.failed, verdict.output).toEqual([]);
  expect(verdict.passed).toBeGreaterThan(0);
});
