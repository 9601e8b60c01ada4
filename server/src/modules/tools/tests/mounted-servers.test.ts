import { api } from '@knowhow/shared/api';
import { expect, onTestFinished, test } from 'vitest';
import { accessFiles } from '../../../testing/access-stage.ts';
import { getSessionToken } from '../../../testing/mcp-client.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { calls, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { type Files, writeFiles } from '../../../testing/write-files.ts';

/** The first Knowhow, and a user who may see one of its skills. */
async function startFirst(): Promise<{ url: string; token: string }> {
  const first = await startTestServer({ files: accessFiles });
  onTestFinished(() => first.close());
  const admin = await signInAdmin(first);
  const ann = await signInNew(first, admin, { username: 'ann', groups: ['staff'] });
  return { url: `${first.url}/mcp`, token: getSessionToken(ann) };
}

function mounting({ url, token }: { url: string; token: string }, skills: boolean): Files {
  const headers = { Authorization: `Bearer ${token}` };
  const outbound = { allowPrivate: ['127.0.0.1'] };
  return {
    'config/platform.json': { rateLimit: { requests: 0, turns: 0 }, outbound },
    'config/mcp.json': { mcpServers: { first: { url, headers, skills, title: 'Head office' } } },
  };
}

async function namesOf(server: TestServer): Promise<string[]> {
  const { items } = await parseAnswer(api.skills.list.response, server.visitor()('/api/skills'));
  return items.map(({ name }) => name);
}

test('a second Knowhow mounts what a user of the first may see, once its file allows it', async () => {
  const first = await startFirst();
  const model = scriptedModel(
    calls(['activate_skill', { skill_name: 'first-meeting-notes' }]),
    calls([
      'read_skill_resource',
      { skill_name: 'first-meeting-notes', file_path: 'references/format.md' },
    ]),
    says('Done.'),
  );
  const server = await startTestServer({ model: model.ask, files: mounting(first, false) });
  onTestFinished(() => server.close());
  const own = await namesOf(server);
  expect(own).toEqual(['meeting-notes', 'release-notes']);
  await writeFiles(`${server.folder}/contents`, mounting(first, true));
  await expect.poll(() => namesOf(server)).toEqual(['first-meeting-notes', ...own]);
  await takeTurn(server.visitor(), { message: 'What was decided?' });
  const sent = JSON.stringify(model.requests[2]);
  expect(sent).toContain('skill_content name=\\"first-meeting-notes\\" source=\\"Head office\\"');
  expect(sent).toContain('One decision a line.');
  await writeFiles(`${server.folder}/contents`, mounting(first, false));
  await expect.poll(() => namesOf(server)).toEqual(own);
});
