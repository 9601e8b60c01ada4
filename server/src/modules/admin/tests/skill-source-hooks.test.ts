import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { adminApi } from '@knowhow/shared/config/admin';
import { expect, test } from 'vitest';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { sourceSkill, sourcesPath, startGitSources } from '../../../testing/start-git-sources.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const secret = 'a secret of a webhook';
const environment = { SKILL_SOURCE_HOOK: secret, SKILL_SOURCE_SHORT: 'short' };
const webhook = { variable: 'SKILL_SOURCE_HOOK' };
const body = JSON.stringify({ ref: 'refs/heads/main' });
const hmac = (text: string, key = secret) => createHmac('sha256', key).update(text).digest('hex');
const fromGitHub = { 'X-Hub-Signature-256': `sha256=${hmac(body)}` };

type Options = Parameters<typeof startGitSources>[0];

async function start(options: Options = {}) {
  const started = await startGitSources({ environment, ...options });
  const sender = started.server.visitor();
  const send = (id: string, headers: Record<string, string>, sent = body) =>
    sender(`/api/hooks/skill-sources/${id}`, { method: 'POST', body: sent, headers });
  const stateOf = async (id: string) =>
    (await started.list()).items.find(({ source }) => source.id === id)?.state;
  return { ...started, send, stateOf };
}

/** Timeout in milliseconds. */
const startsManyProcesses = 90_000;

test('syncs a source after a push on GitHub, Gitea and GitLab', {
  timeout: startsManyProcesses,
}, async () => {
  const { git, create, send, stateOf } = await start();
  await create({ id: 'team', url: git.url('team'), webhook });
  const signatures = {
    github: fromGitHub,
    gitea: { 'X-Gitea-Signature': hmac(body) },
    gitlab: { 'X-Gitlab-Token': secret },
  };
  for (const [name, headers] of Object.entries(signatures)) {
    const commit = await git.commit('team', { 'pdf/SKILL.md': sourceSkill('pdf', `${name}\n`) });
    expect((await send('team', headers)).status).toBe(202);
    await waitFor(async () => (await stateOf('team'))?.commit === commit);
  }
  expect(await stateOf('team')).toMatchObject({ pending: 1, webhook: 'ready' });
});

test('answers alike for an unknown source, one without a secret, and a wrong signature', async () => {
  const { git, create, send, stateOf } = await start();
  await create({ id: 'team', url: git.url('team'), webhook });
  await create({ id: 'plain', url: git.url('team') });
  await create({ id: 'unset', url: git.url('team'), webhook: { variable: 'SKILL_SOURCE_GONE' } });
  await create({ id: 'short', url: git.url('team'), webhook: { variable: 'SKILL_SOURCE_SHORT' } });
  const answers = [
    await parseProblem(send('none', fromGitHub)),
    await parseProblem(send('plain', fromGitHub)),
    await parseProblem(send('unset', fromGitHub)),
    await parseProblem(send('unset', { 'X-Hub-Signature-256': `sha256=${hmac(body, ' ')}` })),
    await parseProblem(send('unset', { 'X-Gitlab-Token': '' })),
    await parseProblem(send('short', { 'X-Gitlab-Token': 'short' })),
    await parseProblem(send('team', {})),
    await parseProblem(send('team', { 'X-Gitlab-Token': `${secret} x` })),
    await parseProblem(send('team', fromGitHub, `${body} `)),
    await parseProblem(send('team', { 'X-Hub-Signature-256': hmac(body) })),
  ];
  expect(answers[0]).toMatchObject({ status: 404, code: 'not-found' });
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(git.requests).toEqual([]);
  expect(await stateOf('unset')).toMatchObject({ webhook: 'no-secret' });
  expect(await stateOf('short')).toMatchObject({ webhook: 'no-secret' });
  expect((await stateOf('plain'))?.webhook).toBeUndefined();
});

test('refuses a hook of more than 1 MiB, whether the source exists or not', async () => {
  const { git, create, send } = await start();
  await create({ id: 'team', url: git.url('team'), webhook });
  const large = 'x'.repeat(1024 * 1024 + 1);
  const signed = { 'X-Hub-Signature-256': `sha256=${hmac(large)}` };
  expect((await send('team', signed, large)).status).toBe(413);
  expect((await send('none', signed, large)).status).toBe(413);
  expect(git.requests).toEqual([]);
});

test('a thousand hooks make one sync that runs, and one that follows', {
  timeout: startsManyProcesses,
}, async () => {
  const { git, create, send, stateOf } = await start({ rateLimit: { requests: 0 } });
  await git.commit('team', { 'pdf/SKILL.md': sourceSkill('pdf') });
  await create({ id: 'team', url: git.url('team'), webhook });
  const held: ServerResponse[] = [];
  let isHolding = true;
  let syncs = 0;
  git.intercept = ({ headers }, response) => {
    // The request before git runs.
    syncs += headers['user-agent'] === 'git/2 (knowhow)' ? 1 : 0;
    if (isHolding) {
      held.push(response);
    }
    return isHolding;
  };
  await send('team', fromGitHub);
  await waitFor(() => held.length === 1);
  const statuses = await Promise.all(
    Array.from({ length: 1000 }, async () => (await send('team', fromGitHub)).status),
  );
  expect(new Set(statuses)).toEqual(new Set([202]));
  expect(held).toHaveLength(1);
  isHolding = false;
  held[0]?.writeHead(404).end();
  await waitFor(async () => (await stateOf('team'))?.pending === 1);
  expect(syncs).toBe(2);

  // Afterwards, another hook starts another sync.
  const commit = await git.commit('team', { 'letters/SKILL.md': sourceSkill('letters') });
  await send('team', fromGitHub);
  await waitFor(async () => (await stateOf('team'))?.commit === commit);
  // One asks for the commit, and one reads it.
  expect(syncs).toBe(4);
});

test('hooks count toward the rate limit of their address', async () => {
  const { send } = await start({ rateLimit: { requests: 20 } });
  const statuses: number[] = [];
  for (let sent = 0; sent < 25; sent += 1) {
    statuses.push((await send('none', fromGitHub)).status);
  }
  expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
});

test('shows why a sync after a push failed', async () => {
  const { git, create, send, stateOf } = await start();
  await create({ id: 'team', url: git.url('gone'), webhook });
  expect((await send('team', fromGitHub)).status).toBe(202);
  await waitFor(async () => (await stateOf('team'))?.error !== undefined);
  expect((await stateOf('team'))?.error).toContain('has no repository');
});

test('the webhook of a source is changed and removed, and the audit log never has its secret', async () => {
  const { git, admin, create, send, stateOf } = await start();
  await git.commit('team', { 'pdf/SKILL.md': sourceSkill('pdf') });
  await create({ id: 'team', url: git.url('team') });
  const change = (json: object) => admin(`${sourcesPath}/team`, { method: 'PATCH', json });
  expect((await change({ webhook: { variable: 'SESSION_SECRET' } })).status).toBe(400);
  expect((await change({ webhook })).status).toBe(200);
  expect((await send('team', fromGitHub)).status).toBe(202);
  await waitFor(async () => (await stateOf('team'))?.pending === 1);
  expect((await change({ webhook: null })).status).toBe(200);
  expect((await send('team', fromGitHub)).status).toBe(404);
  const audit = admin('/api/admin/audit?kind=settings');
  const entries = JSON.stringify(await parseAnswer(adminApi.audit.response, audit));
  expect(entries).toContain('SKILL_SOURCE_HOOK');
  expect(entries).not.toContain(secret);
});
