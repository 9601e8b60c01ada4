import { z } from 'zod';
import { isSecure } from './oauth-server.ts';
import type { SigningIn } from './oauth-sign-in.ts';
import type { StoredTokens } from './oauth-store.ts';

/**
 * Deletes a sign-in and asks its issuer to revoke the tokens. Resolves with whether the issuer did;
 * our copy is deleted in any case.
 */
export async function endConnection(
  user: string,
  server: string,
  { store, fetch, withLock }: SigningIn,
): Promise<boolean> {
  const owner = { user, server };
  return withLock(`mcp tokens ${JSON.stringify(owner)}`, async () => {
    const tokens = await store.tokens(owner);
    await store.removeTokens(owner);
    return tokens ? revoke(tokens, fetch).catch(() => false) : false;
  });
}

const metadataSchema = z.object({
  issuer: z.string(),
  revocation_endpoint: z.string().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default([]),
});
type Metadata = z.infer<typeof metadataSchema>;

/** Refresh token first: revoking it also revokes the access tokens issued from it (RFC 7009). */
async function revoke(
  tokens: StoredTokens & { issuer: string },
  fetch: typeof globalThis.fetch,
): Promise<boolean> {
  const metadata = await readMetadata(tokens.issuer, fetch);
  const address = metadata?.revocation_endpoint;
  if (!metadata || address === undefined || !isSecure(address)) {
    return false;
  }
  const { refreshToken, accessToken } = tokens;
  const all = [
    ...(refreshToken === undefined
      ? []
      : [{ token: refreshToken, token_type_hint: 'refresh_token' }]),
    { token: accessToken, token_type_hint: 'access_token' },
  ];
  const answers: boolean[] = [];
  for (const each of all) {
    const { ok, body } = await fetch(address, await requestFor(each, tokens, metadata));
    await body?.cancel();
    answers.push(ok);
  }
  return answers.every(Boolean);
}

/** The library discards one of the two kinds of metadata, so revocation reads both. */
async function readMetadata(
  issuer: string,
  fetch: typeof globalThis.fetch,
): Promise<Metadata | undefined> {
  const { buildDiscoveryUrls } = await import('@modelcontextprotocol/client');
  for (const { url } of buildDiscoveryUrls(issuer)) {
    const answer = await fetch(url, { headers: { accept: 'application/json' } });
    const found = answer.ok ? metadataSchema.safeParse(await answer.json()) : undefined;
    if (found?.success) {
      return found.data.issuer === issuer ? found.data : undefined;
    }
    await answer.body?.cancel().catch(() => undefined);
  }
  return undefined;
}

async function requestFor(
  fields: Record<string, string>,
  { client }: StoredTokens,
  metadata: Metadata,
): Promise<RequestInit> {
  const { selectClientAuthMethod } = await import('@modelcontextprotocol/client');
  const { client_id, client_secret } = client;
  const method = selectClientAuthMethod(client, metadata.token_endpoint_auth_methods_supported);
  const body = new URLSearchParams(fields);
  const headers = new Headers();
  if (method === 'client_secret_basic') {
    const pair = [client_id, client_secret ?? ''].map(encodeURIComponent).join(':');
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  } else {
    body.set('client_id', client_id);
  }
  if (method === 'client_secret_post' && client_secret !== undefined) {
    body.set('client_secret', client_secret);
  }
  return { method: 'POST', headers, body, redirect: 'error' };
}
