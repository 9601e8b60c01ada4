import { join } from 'node:path';
import { meSchema } from '@knowhow/shared/access/auth';
import { afterEach, expect, test, vi } from 'vitest';
import { type Browser, openOidcStage } from '../../../testing/oidc-stage.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { signInsOnDemand } from '../../../testing/sign-ins-on-demand.ts';
import { defaultFiles } from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { writeFiles } from '../../../testing/write-files.ts';

afterEach(() => {
  vi.useRealTimers();
});

const me = async (browser: Browser) =>
  meSchema.parse(await (await browser.ask('/api/auth/me')).json());

const { groups } = defaultFiles['config/groups.json'];

test('during a session groups follow the provider; the session ends when the provider ends it or is removed', async () => {
  const { cluster, later: laterBy } = signInsOnDemand();
  const said: Record<string, unknown> = { preferred_username: 'ann', groups: ['it'] };
  const { server, issuer, browser, signIn } = await openOidcStage({
    claims: () => said,
    files: {
      'config/groups.json': {
        groups: { ...groups, admins: { ...groups.admins, mappings: ['it'] } },
      },
    },
    cluster,
  });
  const window = browser();
  expect(await signIn(window)).toBe('/');
  const later = (minutes: number) => laterBy(minutes, () => me(window));
  said.groups = [];
  await later(1);
  expect((await me(window)).isAdmin).toBe(true);
  await later(20);
  expect(await me(window)).toMatchObject({ anonymous: false, isAdmin: false });
  // A provider that does not respond ends nothing.
  issuer.intercept((request, response) => {
    response.destroy();
    return request.url !== undefined;
  });
  await later(20);
  expect(await me(window)).toMatchObject({ anonymous: false });
  // Without a new ID token in the refresh, userinfo is requested.
  const answers: Record<string, object> = {
    '/token': { access_token: 'a', token_type: 'Bearer', refresh_token: 'another' },
    '/me': { sub: 'ann', preferred_username: 'ann', groups: ['it'] },
  };
  issuer.intercept((request, response) => {
    const answer = answers[request.url ?? ''];
    if (answer) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    }
    return answer !== undefined;
  });
  await later(20);
  expect(await me(window)).toMatchObject({ anonymous: false, isAdmin: true });
  issuer.intercept((request, response) => {
    if (request.url?.startsWith('/token')) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: 'invalid_grant' }));
      return true;
    }
    return false;
  });
  await later(20);
  expect(await me(window)).toMatchObject({ anonymous: true });

  issuer.intercept(() => false);
  expect(await signIn(window)).toBe('/');
  await later(1);
  expect(await me(window)).toMatchObject({ anonymous: false });
  await writeFiles(join(server.folder, 'contents'), {
    'config/platform.json': defaultFiles['config/platform.json'],
  });
  await waitFor(async () => {
    const ways = await (await window.ask('/api/auth/ways')).json();
    return (ways as { providers: object[] }).providers.length === 0;
  });
  await later(1);
  expect(await me(window)).toMatchObject({ anonymous: true });
  const admin = await signInAdmin(server);
  const log = await (await admin('/api/admin/audit?kind=session&query=ended')).json();
  const { items } = log as { items: { after: { reason: string } }[] };
  expect(items.map(({ after }) => after.reason)).toEqual(['provider-gone', 'ended-there']);
});
