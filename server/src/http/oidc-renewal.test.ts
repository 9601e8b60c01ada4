import { meSchema } from '@knowhow/shared/auth';
import { afterEach, expect, test, vi } from 'vitest';
import type { Cluster } from '../cluster/cluster.ts';
import { createLocalCluster } from '../cluster/local-cluster.ts';
import { type Browser, openOidcStage } from '../testing/oidc-stage.ts';
import { defaultFiles } from '../testing/start-test-server.ts';

afterEach(() => {
  vi.useRealTimers();
});

const me = async (browser: Browser) =>
  meSchema.parse(await (await browser.ask('/api/auth/me')).json());

const minute = 60_000;
const { groups } = defaultFiles['config/groups.json'];

test('in a session that is used, groups follow those of the provider; when it says that it is over, it is', async () => {
  const works: Record<string, Parameters<Cluster['oneNode']>[2]> = {};
  const local = createLocalCluster();
  const said: Record<string, unknown> = { preferred_username: 'ann', groups: ['it'] };
  const { issuer, browser, signIn } = await openOidcStage({
    claims: () => said,
    files: {
      'config/groups.json': {
        groups: { ...groups, admins: { ...groups.admins, mappings: ['it'] } },
      },
    },
    cluster: {
      ...local,
      oneNode: (name, cron, work) => {
        works[name] = work;
        return name === 'sign-ins'
          ? { nextRun: () => undefined, stop: () => undefined }
          : local.oneNode(name, cron, work);
      },
    },
  });
  const window = browser();
  expect(await signIn(window)).toBe('/');
  const later = async (ms: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
    await me(window);
    await works['sign-ins']?.(new AbortController().signal);
  };
  said.groups = [];
  await later(minute);
  expect((await me(window)).isAdmin).toBe(true);
  await later(20 * minute);
  expect(await me(window)).toMatchObject({ anonymous: false, isAdmin: false });
  // One that does not answer ends nothing.
  issuer.intercept((request, response) => {
    response.destroy();
    return request.url !== undefined;
  });
  await later(20 * minute);
  expect(await me(window)).toMatchObject({ anonymous: false });
  issuer.intercept((request, response) => {
    if (request.url?.startsWith('/token')) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: 'invalid_grant' }));
      return true;
    }
    return false;
  });
  await later(20 * minute);
  expect(await me(window)).toMatchObject({ anonymous: true });
});
