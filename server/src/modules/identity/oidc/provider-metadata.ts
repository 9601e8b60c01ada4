import type { ServerMetadata } from 'openid-client';
import { z } from 'zod';
import { isLoopbackHost } from '../../../platform/lib/is-loopback-host.ts';
import type { OidcProvider } from './oidc-providers.ts';

const maxWords = 1000;

/** A list of strings. A custom check, because zod would report an issue for each wrong element. */
const words = z.custom<string[]>(
  (value) =>
    Array.isArray(value) &&
    value.length <= maxWords &&
    value.every((word) => typeof word === 'string'),
  `A list of at most ${maxWords} words.`,
);

/**
 * The metadata of a provider (OpenID Connect Discovery 1.0, section 3), as far as Knowhow uses it.
 */
const metadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  userinfo_endpoint: z.string().optional(),
  end_session_endpoint: z.string().optional(),
  scopes_supported: words.optional(),
  code_challenge_methods_supported: words.optional(),
  token_endpoint_auth_methods_supported: words.optional(),
  backchannel_logout_supported: z.boolean().optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});
export type ProviderMetadata = ServerMetadata & z.infer<typeof metadataSchema>;

/** Fields with addresses that a client calls or opens. Others, such as `op_policy_uri`, are never used. */
const addressField = /_endpoint$|^jwks_uri$|^check_session_iframe$/;

/**
 * Checks the metadata of a provider: its fields, and that each address is https, or http on this machine
 * if the issuer is as well.
 *
 * @throws Error that names the first wrong field
 */
export function checkMetadata(
  metadata: ServerMetadata,
  provider: Pick<OidcProvider, 'issuer'>,
): ProviderMetadata {
  for (const field of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
    requireSecure(field, metadata[field], provider);
  }
  for (const [field, value] of addressesIn(metadata)) {
    requireSecure(field, value, provider);
  }
  const result = metadataSchema.safeParse(metadata);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new Error(`Its metadata is wrong in ${issue?.path.join('.')}: ${issue?.message}`);
  }
  return { ...metadata, ...result.data };
}

function addressesIn(metadata: Record<string, unknown>): [string, unknown][] {
  const { mtls_endpoint_aliases: aliases } = metadata;
  const nested = typeof aliases === 'object' && aliases !== null ? Object.entries(aliases) : [];
  return [...Object.entries(metadata), ...nested].filter(
    ([field, value]) => addressField.test(field) && value !== undefined,
  );
}

function requireSecure(field: string, value: unknown, provider: Pick<OidcProvider, 'issuer'>) {
  if (typeof value !== 'string' || !isSecure(value, provider)) {
    throw new Error(`It names no address with https for ${field}.`);
  }
}

function isSecure(address: string, { issuer }: Pick<OidcProvider, 'issuer'>): boolean {
  if (!URL.canParse(address)) {
    return false;
  }
  const { protocol, hostname } = new URL(address);
  const isLocal = protocol === 'http:' && isLoopbackHost(hostname);
  return protocol === 'https:' || (isLocal && issuer.startsWith('http:'));
}
