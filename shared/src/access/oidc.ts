import { z } from 'zod';
import { endpoint, fileEndpoint } from '../endpoint.ts';

/** Why a sign-in with a provider failed. */
export const signInErrors = [
  /** The user or the provider cancelled it. */
  'cancelled',
  /** The provider is unreachable or sent an invalid response. */
  'provider-down',
  /** Not started in this browser, expired, or already completed. */
  'not-begun',
  /** The response could not be verified. */
  'not-trusted',
  /** Denied by the access policy. */
  'not-allowed',
  /** No account, and sign-up is disabled. */
  'no-account',
  'disabled',
  /** The provider sent invalid profile data. */
  'claims',
] as const;
export type SignInError = (typeof signInErrors)[number];

/** Available ways to sign in. */
export const signInWaysSchema = z.object({
  /** With a username and password. */
  password: z.boolean(),
  providers: z.array(z.object({ name: z.string(), title: z.string() })),
});
export type SignInWays = z.infer<typeof signInWaysSchema>;

const provider = z.strictObject({ provider: z.string().min(1).max(60) });
const text = z.string().max(8000);

/** Sign-in with OpenID Connect providers. */
export const oidcApi = {
  ways: endpoint({
    method: 'GET',
    path: '/api/auth/ways',
    access: 'public',
    summary: 'Available ways to sign in: password and identity providers',
    response: signInWaysSchema,
  }),
  begin: fileEndpoint({
    method: 'GET',
    path: '/api/auth/oidc/:provider',
    access: 'public',
    summary: 'Redirects the browser to a provider for sign-in; `returnTo` is a path on this server',
    params: provider,
    query: z.object({ returnTo: text.optional() }),
    isDownload: false,
  }),
  callback: fileEndpoint({
    method: 'GET',
    path: '/api/auth/oidc/:provider/callback',
    access: 'public',
    summary: 'The redirect URI for providers',
    params: provider,
    // Providers add their own fields.
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
