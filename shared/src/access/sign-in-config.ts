import { z } from 'zod';

const word = z.string().min(1).max(300);

/** Access policy of a provider: matching one entry is enough. */
const admissionSchema = z.looseObject({
  /** Groups at the provider. */
  groups: z.array(word).optional(),
  /** Verified email addresses, or a whole domain: `@example.org`. */
  emails: z.array(word).optional(),
});

/**
 * An OpenID Connect provider. Unknown fields are preserved, as are fields of iHub that Knowhow
 * discovers itself.
 */
export const oidcProviderSchema = z.looseObject({
  /** Part of its URLs: lower-case letters, digits, `-`. */
  name: word,
  /** Label of its button. */
  displayName: word.optional(),
  enabled: z.boolean().optional(),
  /** Issuer URL; everything else is discovered. */
  issuer: z.string().max(1000).optional(),
  clientId: word.optional(),
  /** The environment variable with the client secret; omitted for a public client. */
  clientSecretEnv: z
    .string()
    .regex(/^OIDC_[A-Z0-9_]{1,60}$/, 'A variable whose name begins with OIDC_.')
    .optional(),
  scope: z.array(word).max(30).optional(),
  /** The claim with the groups; may be a path: `realm_access.roles`. */
  groupsAttribute: word.optional(),
  /** The claim with the display name. */
  nameAttribute: word.optional(),
  /** Groups that everyone gets who signs in with this provider. */
  defaultGroups: z.array(word).optional(),
  /** Access policy, checked at each sign-in. */
  allow: admissionSchema.optional(),
  /** Whether new people get an account; overrides `oidcAuth`. */
  allowSelfSignup: z.boolean().optional(),
  /** Whether signing out here also signs out at the provider (RP-initiated logout). */
  signOutThere: z.boolean().optional(),
  /** Audience of its access tokens that `/mcp` accepts; omitted: none. */
  mcpAudience: word.optional(),
});
export type OidcProviderConfig = z.infer<typeof oidcProviderSchema>;

/** `oidcAuth` of `platform.json`. */
export const oidcAuthSchema = z.looseObject({
  enabled: z.boolean().optional(),
  /** Whether new people get an account, unless a provider overrides it. */
  allowSelfSignup: z.boolean().optional(),
  providers: z.array(oidcProviderSchema).max(20).optional(),
});
export type OidcAuthConfig = z.infer<typeof oidcAuthSchema>;

/**
 * The name of an HTTP header. `Authorization` is for programs: browsers never send it
 * automatically.
 */
const headerSchema = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,100}$/)
  .refine((name) => !['authorization', 'cookie'].includes(name.toLowerCase()), {
    error: 'Let the proxy send it in a header of its own: this one is for programs.',
  });

/** A header with a signed token, as sent by Cloudflare Access, IAP and oauth2-proxy. */
const jwtProviderSchema = z.looseObject({
  header: headerSchema,
  issuer: word,
  audience: word,
  /** JWKS URL. */
  jwkUrl: z.url({ protocol: /^https?$/ }),
  groupsAttribute: word.optional(),
  nameAttribute: word.optional(),
});

/** `proxyAuth` of `platform.json`: a reverse proxy authenticates users. */
export const proxyAuthSchema = z.looseObject({
  enabled: z.boolean().optional(),
  /** Displayed name of the proxy's sign-in. */
  displayName: word.optional(),
  userHeader: headerSchema.optional(),
  emailHeader: headerSchema.optional(),
  nameHeader: headerSchema.optional(),
  groupsHeader: headerSchema.optional(),
  /** If set, plain headers are not trusted. */
  jwtProviders: z.array(jwtProviderSchema).max(10).optional(),
  defaultGroups: z.array(word).optional(),
  allow: admissionSchema.optional(),
  allowSelfSignup: z.boolean().optional(),
});
export type ProxyAuthConfig = z.infer<typeof proxyAuthSchema>;
