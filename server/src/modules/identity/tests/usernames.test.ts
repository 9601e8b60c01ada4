import { invitationsApi } from '@knowhow/shared/access/invitations';
import { problemSchema } from '@knowhow/shared/problem';
import { afterEach, describe, expect, test } from 'vitest';
import { openOidcStage } from '../../../testing/oidc-stage.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

const password = 'a long enough password';
const refused: [string, number][] = [
  ['аdmin', 400],
  ['аdmіn', 400],
  ['admin\u200b', 400],
  ['ad\u00admin', 400],
  ['\u202enimda', 400],
  ['adm\u0456n', 400],
  ['αdmin', 400],
  ['annа', 400],
  ['ann\u0007', 400],
  ['\u3164', 400],
  ['\u2800', 400],
  ['\u0301ann', 400],
  ['---', 400],
  ['ann 😀', 400],
  ['ᎪᏴᏟ', 400],
  ['ａｄｍｉｎ', 409],
  ['ADMIN', 409],
  ['adrnin', 409],
  ['admın', 409],
  ['ⓐdmin', 409],
  ['𝐚𝐝𝐦𝐢𝐧', 409],
  ['сосо', 409],
  ['ｃｏｃｏ', 409],
  ['c0co', 409],
];
const accepted: [string, string][] = [
  ['Ann', 'ann'],
  ['ann.b@example.org', 'ann.b@example.org'],
  ['Zoë', 'zoë'],
  ['Ｂｅｎ', 'ben'],
  ['иван', 'иван'],
  ['Γιώργος', 'γιώργος'],
  ['山田太郎', '山田太郎'],
  ['山田タロウさん', '山田タロウさん'],
  ['kim김', 'kim김'],
  ['علي', 'علي'],
  ['प्रिया', 'प्रिया'],
  ["o'brien", "o'brien"],
];

describe('a username', () => {
  let server: TestServer;
  afterEach(() => server.close());

  const byAdmin = (admin: Visitor) => (username: string) =>
    admin('/api/admin/users', { json: { username, name: 'New User', groups: [], password } });
  const byInvitation = (admin: Visitor) => async (username: string) => {
    const json = { note: 'n', groups: [], expiresInDays: 1 };
    const { path } = await parseAnswer(
      invitationsApi.create.response,
      admin('/api/admin/invitations', { json }),
    );
    const token = path.split('#')[1];
    return server.visitor()('/api/invitations/accept', {
      json: { token, username, name: 'New User', password },
    });
  };

  test.each([
    ['an administrator', byAdmin],
    ['an invitation', byInvitation],
  ])('from %s imitates no other (homoglyphs) and uses one script', async (_, by) => {
    const files = { 'config/platform.json': { rateLimit: { requests: 0, failedLogins: 0 } } };
    server = await startTestServer({ files });
    const admin = await signInAdmin(server);
    const create = by(admin);
    expect((await byAdmin(admin)('coco')).ok).toBe(true);
    for (const [username, status] of refused) {
      const answer = await create(username);
      expect([username, answer.status]).toEqual([username, status]);
      const { code } = problemSchema.parse(await answer.json());
      expect(code).toBe(status === 400 ? 'invalid-request' : 'name-taken');
    }
    for (const [username, stored] of accepted) {
      const answer = await create(username);
      expect([username, answer.ok]).toEqual([username, true]);
      // It signs in as written, and in its normalised form.
      for (const written of [username, stored]) {
        const json = { username: written, password };
        expect((await server.visitor()('/api/auth/login', { json })).status).toBe(200);
      }
    }
  });

  test('is separate from a display name, which must be visible and in logical order', async () => {
    server = await startTestServer();
    const admin = await signInAdmin(server);
    const create = (name: string) =>
      admin('/api/admin/users', { json: { username: 'ann', name, groups: [] } });
    for (const name of [
      '\u202enimdA',
      'A\u2066b\u2069',
      '\u200b',
      '\u3164',
      ' \u2800 ',
      '\u200d',
      'a\u0000',
      'a\nb',
      '\ufeff',
      ' ',
      '\u2028',
    ]) {
      expect([name, (await create(name)).status]).toEqual([name, 400]);
    }
    expect((await create('Zoë 👩‍💻 می‌خواهم')).status).toBe(200);
    const { items } = (await (await admin('/api/admin/users?query=ann')).json()) as {
      items: { id: string }[];
    };
    const json = { name: 'A\u202eb' };
    const renamed = await admin(`/api/admin/users/${items[0]?.id}`, { method: 'PUT', json });
    expect(renamed.status).toBe(400);
  });
});

test("a provider's user gets a username that imitates no other", async () => {
  const names: Record<string, string> = {
    a: 'аdmin',
    b: 'ａｄｍｉｎ',
    c: 'admin',
    d: 'adrnin',
    e: 'coco',
    f: 'сосо',
    g: 'иван',
    h: '\u202e\u3164',
    i: 'Ｃｏｃｏ',
  };
  const stage = await openOidcStage({
    claims: (account) => ({ name: '\u202e\u3164', preferred_username: names[account] }),
  });
  const { server, browser, signIn } = stage;
  const admin = await signInAdmin(server);
  for (const account of Object.keys(names)) {
    expect(await signIn(browser(), account)).toBe('/');
  }
  const { items } = (await (await admin('/api/admin/users')).json()) as {
    items: { username: string; name: string }[];
  };
  expect(items.map(({ username }) => username).sort()).toEqual(
    [
      ...['admin', 'coco', 'coco-main', 'user', 'user-main', 'user-main-2', 'user-main-3'],
      ...['user-main-4', 'user-main-5', 'иван'],
    ].sort(),
  );
  expect(items.every(({ name }) => /^[\w ]+$/.test(name))).toBe(true);
});
