import { createSign } from 'node:crypto';
import type { Browser, OidcStage } from './oidc-stage.ts';

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

export interface Forged {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Replaces the provider's key. */
  key?: Parameters<ReturnType<typeof createSign>['sign']>[0];
  browser?: Browser;
}

/** Completes a sign-in with a forged ID token. */
export async function comeBackWith(
  stage: OidcStage,
  { claims, header, key, browser = stage.browser() }: Forged,
): Promise<string> {
  const { issuer } = stage;
  const begun = await browser.ask('/api/auth/oidc/main');
  const address = new URL(begun.headers.get('location') ?? '');
  const now = Math.floor(Date.now() / 1000);
  const head = { alg: 'RS256', kid: issuer.key.kid, ...header };
  const body = {
    iss: issuer.issuer,
    sub: 'eve',
    aud: 'knowhow',
    exp: now + 60,
    iat: now,
    nonce: address.searchParams.get('nonce'),
    ...claims,
  };
  const text = `${encoded(head)}.${encoded(body)}`;
  const signature = createSign('sha256')
    .update(text)
    .sign(key ?? issuer.key.privateKey);
  const id_token = `${text}.${head.alg === 'none' ? '' : signature.toString('base64url')}`;
  issuer.intercept((request, response) => {
    const path = new URL(request.url ?? '', issuer.issuer).pathname;
    const answers: Record<string, object> = {
      '/token': { access_token: 'a', token_type: 'Bearer', id_token },
      '/me': { sub: body.sub },
    };
    const answer = answers[path];
    if (answer) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    }
    return answer !== undefined;
  });
  const query = new URLSearchParams({
    code: 'a',
    state: address.searchParams.get('state') ?? '',
    iss: issuer.issuer,
  });
  const ended = await browser.ask(`/api/auth/oidc/main/callback?${query}`);
  issuer.intercept(() => false);
  return ended.headers.get('location') ?? String(ended.status);
}

/** A signed token; without signature for `none`. */
export function signedToken(
  claims: object,
  head: Record<string, unknown>,
  key: NonNullable<Forged['key']>,
): string {
  const text = `${encoded(head)}.${encoded(claims)}`;
  const signature = createSign('sha256').update(text).sign(key);
  return `${text}.${head.alg === 'none' ? '' : signature.toString('base64url')}`;
}
