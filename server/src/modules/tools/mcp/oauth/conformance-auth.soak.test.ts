import { randomBytes } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createLocalCluster } from '../../../../platform/cluster/local-cluster.ts';
import { createGuardedFetch } from '../../../../platform/lib/guarded-fetch.ts';
import { conformanceSuite } from '../../../../testing/conformance-suite.ts';
import { openTestDatabase } from '../../../../testing/open-test-database.ts';
import { temporaryFolder } from '../../../../testing/write-files.ts';
import { type OAuthServer, SignInRequired } from './oauth-server.ts';
import { openOAuth } from './open-oauth.ts';
import { withStepUp } from './step-up.ts';

const suite = conformanceSuite();

const redirectUrl = 'http://127.0.0.1:1/callback';
/** The URL at which the suite expects our client metadata document. */
const cimdUrl = 'https://conformance-test.local/client-metadata.json';

/** Plays the user's browser: follows the redirects of a sign-in. */
async function signInAndCall(
  url: string,
  { client, metadataUrl }: { client: OAuthServer['client']; metadataUrl: string | undefined },
): Promise<void> {
  const database = await openTestDatabase(await temporaryFolder());
  const guarded = createGuardedFetch({ allowPrivate: () => ['127.0.0.1', 'localhost'] });
  onTestFinished(async () => {
    await guarded.close();
    await database.destroy();
  });
  const created_at = new Date().toISOString();
  const ann = { id: 'ann', username: 'ann', name: 'Ann', password_hash: null, groups: '[]' };
  await database
    .insertInto('users')
    .values({ ...ann, disabled: 0, created_at })
    .execute();
  const oauth = openOAuth({
    ...{ database, cluster: createLocalCluster(), fetch: guarded.fetch },
    secretKey: randomBytes(32),
  });
  const server: OAuthServer = { id: 'suite', title: 'Suite', url, client, scope: undefined };
  const signIn = async () => {
    const address = await oauth.begin('ann', server, { redirectUrl, metadataUrl });
    const sent = await fetch(address, { redirect: 'manual' });
    const back = new URL(sent.headers.get('location') ?? '');
    const { state = '', ...rest } = Object.fromEntries(back.searchParams);
    await oauth.end('ann', { state, ...rest });
  };
  const auth = oauth.tokensFor('ann', server);
  const callAll = async () => {
    const host = new Client(
      { name: 'knowhow', version: '1' },
      { versionNegotiation: { mode: 'auto' } },
    );
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      fetch: guarded.fetch,
      authProvider: auth,
    });
    await host.connect(transport);
    const { tools } = await host.listTools();
    for (const { name } of tools) {
      await host.callTool({ name, arguments: {} });
    }
    await host.close();
  };
  await signIn();
  const callNow = () => withStepUp(auth, callAll);
  await callNow().catch(async (error: unknown) => {
    if (!(error instanceof SignInRequired)) {
      throw error;
    }
    await signIn();
    await callNow();
  });
}

/** The pre-registered client, if the scenario has one. */
const contextSchema = z.object({
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
});

/** Runs a scenario and returns the failure of the sign-in, or undefined if it succeeded. */
async function runScenario(scenario: string): Promise<unknown> {
  let failure: unknown;
  const verdict = await suite.runClient(scenario, async (url, context) => {
    const { client_id: id, client_secret: secret } = contextSchema.parse(context);
    const client = id === undefined ? undefined : { id, secret };
    const metadataUrl = scenario === 'auth/basic-cimd' ? cimdUrl : undefined;
    await signInAndCall(url, { client, metadataUrl }).catch((error: unknown) => {
      failure = error;
    });
  });
  expect(verdict.failed, verdict.output).toEqual([]);
  expect(verdict.passed).toBeGreaterThan(0);
  return failure;
}

test.each([
  'metadata-default',
  'metadata-var1',
  'metadata-var2',
  'metadata-var3',
  'basic-cimd',
  'scope-from-www-authenticate',
  'scope-from-scopes-supported',
  'scope-omitted-when-undefined',
  'scope-step-up',
  'token-endpoint-auth-basic',
  'token-endpoint-auth-post',
  'token-endpoint-auth-none',
  'pre-registration',
  'offline-access-scope',
  'offline-access-not-supported',
  'authorization-server-migration',
  'iss-supported',
  'iss-not-advertised',
])('auth/%s: signs in and calls', async (scenario) => {
  expect(await runScenario(`auth/${scenario}`)).toBeUndefined();
});

test.each([
  'scope-retry-limit',
  'resource-mismatch',
  'iss-supported-missing',
  'iss-wrong-issuer',
  'iss-unexpected',
  'iss-normalized',
  'metadata-issuer-mismatch',
])('auth/%s: rejects the sign-in', async (scenario) => {
  expect(await runScenario(`auth/${scenario}`)).toBeInstanceOf(Error);
});
