import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

const provider = z.strictObject({ provider: z.string().min(1).max(60) });
const texts = z.array(z.string());

/** A provider as configured, and whether it is usable. */
export const shownProviderSchema = z.object({
  name: z.string(),
  title: z.string(),
  issuer: z.string().optional(),
  clientId: z.string().optional(),
  /** The environment variable with the client secret; omitted for a public client. */
  secretEnv: z.string().optional(),
  scope: z.string(),
  groupsAttribute: z.string(),
  defaultGroups: texts,
  /** Access policy; omitted if there is none. */
  allow: z.object({ groups: texts, emails: texts }).optional(),
  allowsSignup: z.boolean(),
  rpInitiatedLogout: z.boolean(),
  mcpAudience: z.string().optional(),
  /** Why it is unusable; `off` if it is disabled. */
  fault: z.string().optional(),
  /** Addresses to register at the provider; omitted if the public URL of this server is unknown. */
  addresses: z.object({ callback: z.string(), logout: z.string() }).optional(),
});
export type ShownProvider = z.infer<typeof shownProviderSchema>;

export const proxyStateSchema = z.object({
  title: z.string(),
  /** Headers with signed tokens. Without any, plain headers from trusted addresses are accepted. */
  signed: z.array(z.object({ header: z.string(), issuer: z.string(), audience: z.string() })),
  userHeader: z.string(),
  /** Whether TRUST_PROXY names addresses. */
  isTrusted: z.boolean(),
});

export const providerTestSchema = z.object({
  ok: z.boolean(),
  /** Error message. */
  message: z.string().optional(),
  ms: z.number(),
  /** Supported features. */
  offers: z.array(z.enum(['pkce', 'iss', 'userinfo', 'sign-out', 'back-channel'])),
  /** Requested scopes that the provider does not list. */
  unknownScopes: texts,
});
export type ProviderTest = z.infer<typeof providerTestSchema>;

/** Dry run of a sign-in with given claims. */
export const claimTrialSchema = z.object({
  outcome: z.enum(['admitted', 'not-allowed', 'no-account', 'disabled', 'claims']),
  /** Why the claims were rejected. */
  message: z.string().optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  /** Groups at the provider: their number, and the first of them. */
  there: z.object({ count: z.number(), first: texts }).optional(),
  /** Resulting ids of our groups. */
  groups: texts,
  isAdmin: z.boolean(),
  /** Claims that were ignored or changed. */
  notes: z.array(
    z.enum([
      'no-groups',
      'groups-not-texts',
      'groups-left-out',
      'email-not-verified',
      'name-cleaned',
    ]),
  ),
  /** The existing account of this subject. */
  account: z.object({ username: z.string(), name: z.string() }).optional(),
});
export type ClaimTrial = z.infer<typeof claimTrialSchema>;

/** Configured identity providers and the reverse proxy. */
export const adminSignInApi = {
  state: endpoint({
    access: 'admin',
    summary: 'Identity providers and the proxy as configured, and the group mappings',
    method: 'GET',
    path: '/api/admin/sign-in',
    response: z.object({
      providers: z.array(shownProviderSchema),
      proxy: proxyStateSchema.optional(),
      mappings: z.array(z.object({ group: z.string(), name: z.string(), names: texts })),
    }),
  }),
  test: endpoint({
    access: 'admin',
    summary: 'Tests the connection to a provider and lists its features',
    method: 'POST',
    path: '/api/admin/sign-in/:provider/test',
    params: provider,
    response: providerTestSchema,
  }),
  claims: endpoint({
    access: 'admin',
    summary: 'Dry run of a sign-in with these claims; changes nothing',
    method: 'POST',
    path: '/api/admin/sign-in/:provider/claims',
    params: provider,
    body: z.strictObject({ claims: z.record(z.string(), z.unknown()) }),
    response: claimTrialSchema,
  }),
};
