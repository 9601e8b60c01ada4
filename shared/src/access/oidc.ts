import { z } from 'zod';
import { endpoint, fileEndpoint } from '../endpoint.ts';

/** Why somebody was not signed in who came back from a provider. */
export const signInErrors = [
  /** They, or the provider, said no there. */
  'cancelled',
  /** It does not answer, or says nonsense. */
  'provider-down',
  /** Not begun in this browser, too old, or done already. */
  'not-begun',
  /** What came back does not hold. */
  'not-trusted',
  /** The rule of who may come in says no. */
  'not-allowed',
  /** New, and no account is made for anybody new. */
  'no-account',
  'disabled',
  /** Something of what the provider says of them cannot be. */
  'claims',
] as const;
export type SignInError = (typeof signInErrors)[number];

/** How people may sign in here. */
export const signInWaysSchema = z.object({
  /** By a name and a password. */
  password: z.boolean(),
  providers: z.array(z.object({ name: z.string(), title: z.string() })),
});
export type SignInWays = z.infer<typeof signInWaysSchema>;

const provider = z.strictObject({ provider: z.string().min(1).max(60) });
const text = z.string().max(8000);

/** Signing in with a provider of OpenID Connect. */
export const oidcApi = {
  ways: endpoint({
    method: 'GET',
    path: '/api/auth/ways',
    access: 'public',
    summary: 'How people may sign in: by a password, and with which providers',
    response: signInWaysSchema,
  }),
  begin: fileEndpoint({
    method: 'GET',
    path: '/api/auth/oidc/:provider',
    access: 'public',
    summary: 'Leads a browser to a provider, to sign in there; `returnTo` is a path of this server',
    params: provider,
    query: z.object({ returnTo: text.optional() }),
    isDownload: false,
  }),
  callback: fileEndpoint({
    method: 'GET',
    path: '/api/auth/oidc/:provider/callback',
    access: 'public',
    summary: 'Where a browser comes back to from a provider',
    params: provider,
    // Providers add fields of their own.
    query: z.object({ state: text.optional() }).loose(),
    isDownload: false,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/auth/oidc/:provider/logout',
    access: 'public',
    summary:
      'Back-channel logout: a provider ends sessions, by a form with a signed `logout_token`',
    params: provider,
    body: z.looseObject({ logout_token: z.string().max(32_000) }),
    response: z.void(),
  }),
  logoutFrame: fileEndpoint({
    method: 'GET',
    path: '/api/auth/oidc/:provider/logout',
    access: 'public',
    summary: 'Front-channel logout: a page of a provider ends one session, in a frame',
    params: provider,
    query: z.object({ iss: text.optional(), sid: text.optional() }),
    isDownload: false,
  }),
};
