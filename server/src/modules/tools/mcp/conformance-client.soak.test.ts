import { api } from '@knowhow/shared/api';
import { expect, test } from 'vitest';
import { conformanceSuite } from '../../../testing/conformance-suite.ts';
import { openTestHost } from '../../../testing/mcp-host.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { calls, type Step, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const suite = conformanceSuite();

/** Mounts the suite's skills and runs a turn whose model follows this script. */
async function useSkills(url: string, ...script: Step[]): Promise<string> {
  const model = scriptedModel(...script, says('Done.'));
  const server = await startTestServer({
    model: model.ask,
    files: {
      'config/mcp.json': { mcpServers: { suite: { url, skills: true } } },
      'config/platform.json': {
        rateLimit: { requests: 0, turns: 0 },
        outbound: { allowPrivate: ['localhost', '127.0.0.1'] },
      },
    },
  });
  try {
    const list = async () => {
      const { items } = await parseAnswer(
        api.skills.list.response,
        server.visitor()('/api/skills'),
      );
      return items.map(({ name }) => name);
    };
    await expect.poll(list).toContain('suite-pdf-processing');
    await takeTurn(server.visitor(), { message: 'Fill this form' });
    return JSON.stringify(model.requests);
  } finally {
    await server.close();
  }
}

const activate = calls(['activate_skill', { skill_name: 'suite-pdf-processing' }]);
const read = calls([
  'read_skill_resource',
  { skill_name: 'suite-pdf-processing', file_path: 'references/FORMS.md' },
]);

test('sep-2640-client-no-prefetch', async () => {
  const verdict = await suite.runClient('sep-2640-client-no-prefetch', async (url) => {
    await useSkills(url);
  });
  expect(verdict.failed, verdict.output).toEqual([]);
  expect(verdict.passed).toBeGreaterThan(0);
});

test.each(['digest', 'size', 'frontmatter'])('sep-2640-client-verify-%s', async (aspect) => {
  let sent = '';
  const verdict = await suite.runClient(`sep-2640-client-verify-${aspect}`, async (url) => {
    sent = await useSkills(url, activate, read);
  });
  expect(verdict.failed, verdict.output).toEqual([]);
  expect(verdict.passed).toBeGreaterThan(0);
  expect(sent).toContain('is not available');
});

const inputs: Record<string, Record<string, unknown>> = { add_numbers: { a: 5, b: 3 } };

const hosts = [
  'tools_call',
  'sep-2322-client-request-state',
  'http-standard-headers',
  'json-schema-ref-no-deref',
];

test.each(hosts)('%s', async (scenario) => {
  const verdict = await suite.runClient(scenario, async (url) => {
    const host = await openTestHost({ mcpServers: { suite: { url, consent: 'never' } } });
    const answer = { action: 'accept', values: { confirmed: true } } as const;
    for (const { name } of await host.tools('suite')) {
      await host.call('suite', name, inputs[name] ?? {}, { ask: () => Promise.resolve(answer) });
    }
    await host.close();
  });
  expect(verdict.failed, verdict.output).toEqual([]);
  expect(verdict.passed).toBeGreaterThan(0);
});
