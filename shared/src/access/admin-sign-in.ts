import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

const provider = z.strictObject({ provider: z.string().min(1).max(60) });
const texts = z.array(z.string());

/** A provider as the settings have it, and whether it can be used. */
export const shownProviderSchema = z.object({
  name: z.string(),
  title: z.string(),
  issuer: z.string().optional(),
  clientId: z.string().optional(),
  /** The variable with its secret; left out for a public client. */
  secretEnv: z.string().optional(),
  scope: z.string(),
  groupsAttribute: z.string(),
  defaultGroups: texts,
  /** Who may come in at all; left out where nothing is said of it. */
  allow: z.object({ groups: texts, emails: texts }).optional(),
  allowsSignup: z.boolean(),
  rpInitiatedLogout: z.boolean(),
  mcpAudience: z.string().optional(),
  /** Why it cannot be used; `off` where it is switched off. */
  fault: z.string().optional(),
  /** To be registered there; left out where nobody knows how people reach this server. */
  addresses: z.object({ callback: z.string(), logout: z.string() }).optional(),
});
export type ShownProvider = z.infer<typeof shownProviderSchema>;

export const proxyStateSchema = z.object({
  title: z.string(),
  /** Headers with signed tokens; where there are none, plain ones are believed of trusted addresses. */
  signed: z.array(z.object({ header: z.string(), issuer: z.string(), audience: z.string() })),
  userHeader: z.string(),
  /** Whether TRUST_PROXY names addresses. */
  isTrusted: z.boolean(),
});

export const providerTestSchema = z.object({
  ok: z.boolean(),
  /** What went wrong. */
  message: z.string().optional(),
  ms: z.number(),
  /** What it offers. */
  offers: z.array(z.enum(['pkce', 'iss', 'userinfo', 'sign-out', 'back-channel'])),
  /** Scopes that are asked for, and that it does not list. */
  unknownScopes: texts,
});
export type ProviderTest = z.infer<typeof providerTestSchema>;

/** What somebody with some claims would be here, now. */
export const claimTrialSchema = z.object({
  outcome: z.enum(['admitted', 'not-allowed', 'no-account', 'disabled', 'claims']),
  /** Why, where the claims cannot be taken. */
  message: z.string().optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  /** The groups as the provider names them: how many, and the first of them. */
  there: z.object({ count: z.number(), first: texts }).optional(),
  /** Ids of ours that follow. */
  groups: texts,
  isAdmin: z.boolean(),
  /** What was not taken as it is. */
  notes: z.array(
    z.enum([
      'no-groups',
      'groups-not-texts',
      'groups-left-out',
      'email-not-verified',
      'name-cleaned',
    ]),
  ),
  /** Whoever is known by this subject. */
  account: z.object({ username: z.string(), name: z.string() }).optional(),
});
export type ClaimTrial = z.infer<typeof claimTrialSchema>;

/** How people sign in who are known elsewhere. */
export const adminSignInApi = {
  state: endpoint({
    access: 'admin',
    summary:
      'Providers of sign-ins and the proxy, as the settings have them, and which groups are mapped',
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
    summary: 'Asks a provider what it offers, now',
    method: 'POST',
    path: '/api/admin/sign-in/:provider/test',
    params: provider,
    response: providerTestSchema,
  }),
  claims: endpoint({
    access: 'admin',
    summary: 'What a person with these claims would be here; nothing is changed',
    method: 'POST',
    path: '/api/admin/sign-in/:provider/claims',
    params: provider,
    body: z.strictObject({ claims: z.record(z.string(), z.unknown()) }),
    response: claimTrialSchema,
  }),
};
