import { z } from 'zod';

const word = z.string().min(1).max(300);

/** Who may come in by a provider, besides what a group grants: one of these is enough. */
const admissionSchema = z.looseObject({
  /** Groups as the provider names them. */
  groups: z.array(word).optional(),
  /** Verified addresses, or all of a host: `@example.org`. */
  emails: z.array(word).optional(),
});

/** One provider of OpenID Connect. Unknown fields are kept; so is what iHub has and Knowhow finds out itself. */
export const oidcProviderSchema = z.looseObject({
  /** Part of its addresses: small letters, digits, `-`. */
  name: word,
  /** On its button. */
  displayName: word.optional(),
  enabled: z.boolean().optional(),
  /** As it names itself; all else is found there. */
  issuer: z.string().max(1000).optional(),
  clientId: word.optional(),
  /** The environment variable with the secret; left out for a public client. */
  clientSecretEnv: z
    .string()
    .regex(/^OIDC_[A-Z0-9_]{1,60}$/, 'A variable whose name begins with OIDC_.')
    .optional(),
  scope: z.array(word).max(30).optional(),
  /** The claim with the groups, also within others: `realm_access.roles`. */
  groupsAttribute: word.optional(),
  /** The claim with the name to show. */
  nameAttribute: word.optional(),
  /** Groups of ours that everybody has who comes in by it. */
  defaultGroups: z.array(word).optional(),
  /** Who may come in at all, each time. */
  allow: admissionSchema.optional(),
  /** Whether an account is made for whoever is new; wins over that of `oidcAuth`. */
  allowSelfSignup: z.boolean().optional(),
  /** Whether signing out here signs out there, too. */
  signOutThere: z.boolean().optional(),
  /** The audience of its access tokens that `/mcp` takes; left out, it takes none. */
  mcpAudience: word.optional(),
});
export type OidcProviderConfig = z.infer<typeof oidcProviderSchema>;

/** `oidcAuth` of `platform.json`. */
export const oidcAuthSchema = z.looseObject({
  enabled: z.boolean().optional(),
  /** Whether an account is made for whoever is new, where a provider says nothing of it. */
  allowSelfSignup: z.boolean().optional(),
  providers: z.array(oidcProviderSchema).max(20).optional(),
});
export type OidcAuthConfig = z.infer<typeof oidcAuthSchema>;

/** A name of a header of HTTP. That of access is for programs: browsers never send it by themselves. */
const headerSchema = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,100}$/)
  .refine((name) => !['authorization', 'cookie'].includes(name.toLowerCase()), {
    error: 'Let the proxy send it in a header of its own: this one is for programs.',
  });

/** A header with a signed token, as Cloudflare Access, IAP and oauth2-proxy send. */
const jwtProviderSchema = z.looseObject({
  header: headerSchema,
  issuer: word,
  audience: word,
  /** Where its keys are. */
  jwkUrl: z.url({ protocol: /^https?$/ }),
  groupsAttribute: word.optional(),
  nameAttribute: word.optional(),
});

/** `proxyAuth` of `platform.json`: a reverse proxy signs people in and says who they are. */
export const proxyAuthSchema = z.looseObject({
  enabled: z.boolean().optional(),
  /** What people call where they sign in. */
  displayName: word.optional(),
  userHeader: headerSchema.optional(),
  emailHeader: headerSchema.optional(),
  nameHeader: headerSchema.optional(),
  groupsHeader: headerSchema.optional(),
  /** With these, plain headers are not believed. */
  jwtProviders: z.array(jwtProviderSchema).max(10).optional(),
  defaultGroups: z.array(word).optional(),
  allow: admissionSchema.optional(),
  allowSelfSignup: z.boolean().optional(),
});
export type ProxyAuthConfig = z.infer<typeof proxyAuthSchema>;
