import { adminToolsApi } from '@knowhow/shared/config/admin-tools';
import { connectionsApi } from '@knowhow/shared/config/connections';
import { expect, onTestFinished, test } from 'vitest';
import { startAccountServer } from '../../../testing/account-server.ts';
import { startAuthorizationServer } from '../../../testing/authorization-server.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { calls, type Step, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { defaultFiles, startTestServer, type Visitor } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const { groups } = defaultFiles['config/groups.json'];
const permissions = { apps: ['*'], models: ['*'], tools: ['wiki'] };

/** A chat with a protected tool server, and a model that follows this script. */
async function stage(...script: Step[]) {
  const issuer = await startAuthorizationServer();
  const tools = await startAccountServer(issuer);
  const model = scriptedModel(...script);
  const wiki = { url: tools.url, title: 'Wiki', auth: { type: 'oauth' }, consent: 'never' };
  const staff = { id: 'staff', name: 'Staff', permissions };
  const server = await startTestServer({
    model: model.ask,
    files: {
      'config/platform.json': {
        ...defaultFiles['config/platform.json'],
        outbound: { allowPrivate: ['127.0.0.1'] },
      },
      'config/mcp.json': { mcpServers: { wiki } },
      'config/groups.json': {
        groups: { ...groups, anonymous: { ...groups.anonymous, permissions }, staff },
      },
      'apps/chat.json': { id: 'chat', name: 'Chat', tools: ['wiki'] },
    },
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const enter = async (username: string) =>
    (await signInNew(server, admin, { username, groups: ['staff'] })).visitor;
  /** All browser steps of a user's sign-in. */
  const signIn = async (visitor: Visitor, account: string) => {
    const begun = visitor('/api/account/connections/wiki/sign-in', { method: 'POST' });
    const { url } = await parseAnswer(connectionsApi.begin.response, begun);
    const back = await issuer.browse(url, account);
    expect((await visitor(back.pathname + back.search)).status).toBe(200);
    return new URL(url).searchParams;
  };
  /** The server's tools, as an admin sees them. */
  const source = async () => {
    const answer = parseAnswer(adminToolsApi.list.response, admin('/api/admin/tools'));
    return (await answer).sources.find(({ id }) => id === 'wiki');
  };
  const hasTools = () => waitFor(async () => ((await source())?.tools.length ?? 0) > 0);
  /** The result of the last call, as the model got it. */
  const lastResult = () => model.requests.at(-1)?.messages.at(-1)?.content;
  return { tools, server, enter, signIn, source, hasTools, lastResult };
}

const call = (name: string) => calls([`wiki__${name}`, {}]);
const statusOf = async (visitor: Visitor) => {
  const answer = visitor('/api/account/connections');
  return (await parseAnswer(connectionsApi.list.response, answer)).items[0]?.status;
};

test('signed-in users call a server as themselves, and never as another user', async () => {
  const whoami = [call('whoami'), says('Done.')];
  const { enter, signIn, source, hasTools, lastResult, tools } = await stage(
    ...[...whoami, ...whoami, ...whoami, ...whoami],
  );
  expect(await source()).toMatchObject({
    status: 'sign-in',
    message: 'Each user signs in to it: in the account menu, under Connections.',
  });
  const ann = await enter('ann');
  await signIn(ann, 'ann');
  await hasTools();
  expect((await source())?.status).toBe('ready');
  await takeTurn(ann, { message: 'Who am I?' });
  expect(lastResult()).toBe('whoami for ann');

  const ben = await enter('ben');
  const before = tools.got.length;
  const turn = await takeTurn(ben, { message: 'Who am I?' });
  expect(lastResult()).toContain('in the account menu, under Connections');
  expect(turn.events).toContainEqual(
    expect.objectContaining({ type: 'tool.call.end', error: true, summary: 'not signed in' }),
  );
  expect(tools.got.slice(before).filter((token) => token !== undefined)).toEqual([]);

  await signIn(ben, 'ben');
  await takeTurn(ben, { message: 'Who am I?' });
  expect(lastResult()).toBe('whoami for ben');
  await takeTurn(ann, { message: 'And I?' });
  expect(lastResult()).toBe('whoami for ann');
});

test('a guest is told that it requires an account', async () => {
  const { enter, signIn, hasTools, server, lastResult } = await stage(call('whoami'), says('.'));
  await signIn(await enter('ann'), 'ann');
  await hasTools();
  await takeTurn(server.visitor(), { message: 'Who am I?' });
  expect(lastResult()).toContain('Only people with an account here can');
});

test('a tool that needs more scopes makes the user sign in again, with the old and new scopes', async () => {
  const write = [call('write'), says('.')];
  const { enter, signIn, hasTools, lastResult } = await stage(
    ...write,
    call('whoami'),
    says('.'),
    ...write,
  );
  const ann = await enter('ann');
  expect((await signIn(ann, 'ann')).get('scope')).toBe('tools offline_access');
  await hasTools();
  await takeTurn(ann, { message: 'Write' });
  expect(lastResult()).toContain('sign in again, with more rights');
  expect(await statusOf(ann)).toBe('limited');
  // Their earlier grant stays valid.
  await takeTurn(ann, { message: 'Who am I?' });
  expect(lastResult()).toBe('whoami for ann');
  const scopes = (await signIn(ann, 'ann')).get('scope')?.split(' ').sort();
  expect(scopes).toEqual(['offline_access', 'tools', 'tools:write']);
  expect(await statusOf(ann)).toBe('signed-in');
  await takeTurn(ann, { message: 'Write' });
  expect(lastResult()).toBe('write for ann');
});
