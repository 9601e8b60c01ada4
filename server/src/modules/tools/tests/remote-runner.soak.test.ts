import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { healthApi } from '@knowhow/shared/config/health';
import { runnerApi } from '@knowhow/shared/config/runner';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { runnerToken, startRemoteRunner } from '../../../testing/remote-runner.ts';
import { sandbox } from '../../../testing/sandbox.ts';
import { calls, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type Visitor, withAllTools } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { writeFiles } from '../../../testing/write-files.ts';

const run = calls([
  'run_skill_script',
  { skill_name: 'meeting-notes', script: 'scripts/show.sh', args: [] },
]);

async function start(url: string, more: Record<string, string> = {}) {
  const model = scriptedModel(run, says('.'), run, says('.'), run, says('.'));
  const server = await startTestServer({
    model: model.ask,
    environment: {
      ...{ SCRIPT_RUNNER: 'remote', SCRIPT_RUNNER_URL: url, SCRIPT_RUNNER_TOKEN: runnerToken },
      ...more,
    },
    files: {
      'skills/meeting-notes/scripts/show.sh': 'cat /skill/references/format.md; echo x >made.txt\n',
      'config/skills.json': {
        settings: { allowScriptExecution: true },
        skills: {
          'meeting-notes': { allowScriptExecution: true },
          'release-notes': { allowScriptExecution: true },
        },
      },
      ...withAllTools,
    },
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const answers = () =>
    model.requests.flatMap(({ messages }) => {
      const last = messages.at(-1);
      return last?.role === 'tool' ? [last.content] : [];
    });
  return { server, admin, answers };
}

/** Runs the script in a conversation, with consent. */
async function runScript(visitor: Visitor) {
  const conversationId = crypto.randomUUID();
  const turn = takeTurn(visitor, { message: 'Go', conversationId, skills: ['meeting-notes'] });
  const path = `/api/conversations/${conversationId}/consents/call-0`;
  await waitFor(async () => (await visitor(path, { json: { decision: 'once' } })).ok);
  await turn;
}

const state = (admin: Visitor) => parseAnswer(runnerApi.state.response, admin('/api/admin/runner'));
const sync = (admin: Visitor) =>
  parseAnswer(runnerApi.sync.response, admin('/api/admin/runner/sync', { json: {} }));
const copies = async (folder: string) => (await readdir(join(folder, 'runner'))).sort();

describe.runIf(sandbox)('a remote runner', () => {
  test('runs a script, and gets the skill on first use', async () => {
    const runner = await startRemoteRunner();
    const { admin, answers } = await start(runner.url);
    const ready = await parseAnswer(healthApi.ready.response, admin('/api/ready'));
    expect(ready.scripts).toEqual({ tier: 'remote', status: 'ready' });
    expect(await copies(runner.folder)).toEqual([]);
    await runScript(admin);
    expect(answers().at(-1)).toContain('One decision a line.');
    expect(answers().at(-1)).toContain('"made.txt"');
    expect(await copies(runner.folder)).toEqual(['meeting-notes']);
  });

  test('rebuilds a partial, changed or stale copy before it runs', async () => {
    const runner = await startRemoteRunner();
    const { server, admin, answers } = await start(runner.url);
    await sync(admin);
    const copy = join(runner.folder, 'runner/meeting-notes/references/format.md');
    await writeFile(copy, 'Changed.\n');
    await runScript(admin);
    expect(answers().at(-1)).toContain('One decision a line.');
    expect(await readFile(copy, 'utf8')).toBe('One decision a line.\n');
    await writeFiles(join(server.folder, 'contents'), {
      'skills/meeting-notes/references/format.md': 'Two decisions a line.\n',
    });
    await runScript(admin);
    expect(answers().at(-1)).toContain('Two decisions a line.');
  });

  test('synchronises on request: adds missing copies and removes extra ones', async () => {
    const runner = await startRemoteRunner();
    const { admin } = await start(runner.url);
    expect(await sync(admin)).toMatchObject({ synced: 2, removed: 0, errors: [] });
    expect(await sync(admin)).toMatchObject({ synced: 0, removed: 0, errors: [] });
    const off = { json: { allowScriptExecution: false }, method: 'PUT' };
    await admin('/api/admin/skills/release-notes', off);
    expect(await sync(admin)).toMatchObject({ synced: 0, removed: 1, errors: [] });
    expect(await copies(runner.folder)).toEqual(['meeting-notes']);
    expect((await state(admin)).lastSync).toMatchObject({ removed: 1 });
  });

  test('that is unreachable is reported, and recovers when it is back', async () => {
    const first = await startRemoteRunner();
    const { admin } = await start(first.url, { SCRIPT_RUNNER_COPIES: 'at-once' });
    await waitFor(async () => (await copies(first.folder)).length === 2);
    await first.stop();
    expect(await sync(admin)).toMatchObject({
      synced: 0,
      errors: [{ message: 'The runner does not answer.' }],
    });
    expect(await state(admin)).toMatchObject({ tier: 'remote', status: 'away' });
    const off = { json: { enabled: false }, method: 'PUT' };
    await admin('/api/admin/skills/release-notes', off);
    await startRemoteRunner({ port: first.port, folder: first.folder });
    await waitFor(async () => (await copies(first.folder)).length === 1);
    expect((await state(admin)).status).toBe('ready');
  });

  test('rejects requests without its token', async () => {
    const { url } = await startRemoteRunner();
    const wrong: Record<string, string>[] = [{}, { Authorization: 'Bearer wrong' }];
    for (const headers of wrong) {
      const answer = await fetch(`${url}/v1/state`, { headers });
      expect([answer.status, await answer.json()]).toEqual([
        401,
        { code: 'unauthorized', message: expect.any(String) },
      ]);
    }
    const { admin } = await start(url, { SCRIPT_RUNNER_TOKEN: 'another token altogether' });
    expect((await state(admin)).status).toBe('away');
  });

  test('rejects copies with invalid names or a wrong checksum', async () => {
    const { url, folder } = await startRemoteRunner();
    const send = async (body: unknown) => {
      const answer = await fetch(`${url}/v1/skills`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${runnerToken}` },
        body: JSON.stringify(body),
      });
      return answer.status;
    };
    const files = [{ path: 'SKILL.md', bytes: 'eA==' }];
    expect(await send({ id: 'pdf', checksum: 'a'.repeat(64), files })).toBe(400);
    for (const id of ['..', 'a/b', '.new-x', '']) {
      expect(await send({ id, checksum: 'a'.repeat(64), files })).toBe(400);
    }
    expect(await copies(folder)).toEqual([]);
  });
});
