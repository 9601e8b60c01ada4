import type { OidcProviderConfig } from '@knowhow/shared/access/sign-in-config';
import type { ContentIssue } from '@knowhow/shared/config/health';
import type { PlatformConfig } from '@knowhow/shared/config/platform';
import { isLoopbackHost } from '../../../platform/lib/is-loopback-host.ts';

/** A provider with a complete configuration. */
export interface OidcProvider {
  name: string;
  /** Displayed name. */
  title: string;
  issuer: string;
  clientId: string;
  /** Undefined for a public client. */
  clientSecret: string | undefined;
  scope: string;
  groupsAttribute: string;
  nameAttribute: string;
  defaultGroups: readonly string[];
  allow: OidcProviderConfig['allow'];
  /** Whether unknown people get an account. */
  allowsSignup: boolean;
  rpInitiatedLogout: boolean;
  mcpAudience: string | undefined;
}

/** A provider that is misconfigured, and why. */
export interface ProviderFault {
  /** Its position in the settings. */
  index: number;
  name: string;
  message: string;
}

type Variables = Record<string, string | undefined>;

/** Providers from the settings, in order. Disabled ones are in neither list. */
export function oidcProviders(
  { oidcAuth }: PlatformConfig,
  variables: Variables,
): { providers: OidcProvider[]; faults: ProviderFault[] } {
  const providers: OidcProvider[] = [];
  const faults: ProviderFault[] = [];
  if (oidcAuth?.enabled === false) {
    return { providers, faults };
  }
  for (const [index, config] of (oidcAuth?.providers ?? []).entries()) {
    if (config.enabled === false) {
      continue;
    }
    const isDuplicate = providers.some(({ name }) => name === config.name);
    const message = isDuplicate
      ? `Another provider is called "${config.name}". Give each a unique name.`
      : faultOf(config, variables);
    if (message === undefined) {
      providers.push(providerOf(config, variables, oidcAuth?.allowSelfSignup));
    } else {
      faults.push({ index, name: config.name, message });
    }
  }
  return { providers, faults };
}

/** Names of all enabled providers, including misconfigured ones. */
export function providerNames({ oidcAuth }: PlatformConfig): string[] {
  const { enabled, providers = [] } = oidcAuth ?? {};
  return enabled === false
    ? []
    : providers.flatMap((each) => (each.enabled === false ? [] : [each.name]));
}

/** Issues with the provider settings, for administrators and the log. */
export function providerFaults(platform: PlatformConfig, variables: Variables): ContentIssue[] {
  return oidcProviders(platform, variables).faults.map(({ index, message }) => ({
    path: 'contents/config/platform.json',
    field: `oidcAuth.providers.${index}`,
    message,
    isUsed: true as const,
  }));
}

function providerOf(
  config: OidcProviderConfig,
  variables: Variables,
  allowsSignup = false,
): OidcProvider {
  const { name, displayName = name, clientSecretEnv } = config;
  return {
    name,
    title: displayName,
    issuer: config.issuer ?? '',
    clientId: config.clientId ?? '',
    clientSecret: clientSecretEnv === undefined ? undefined : variables[clientSecretEnv],
    scope: shownScope(config),
    groupsAttribute: config.groupsAttribute ?? 'groups',
    nameAttribute: config.nameAttribute ?? 'name',
    defaultGroups: config.defaultGroups ?? [],
    allow: config.allow,
    allowsSignup: config.allowSelfSignup ?? allowsSignup,
    rpInitiatedLogout: config.signOutThere ?? false,
    mcpAudience: config.mcpAudience,
  };
}

const defaultScope = ['openid', 'profile', 'email'];

/** The scopes that are requested from a provider, separated by spaces. */
export function shownScope({ scope = defaultScope }: OidcProviderConfig): string {
  return [...new Set(['openid', ...scope])].join(' ');
}

function faultOf(config: OidcProviderConfig, variables: Variables): string | undefined {
  const { name, issuer, clientId, clientSecretEnv } = config;
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name)) {
    return `"${name}" cannot be part of an address: use small letters, digits and "-".`;
  }
  if (name === 'proxy') {
    return '"proxy" is the name of the reverse proxy, also in "mappings". Give it another one.';
  }
  if (issuer === undefined || !URL.canParse(issuer)) {
    return 'It has no "issuer": the address under which the provider has /.well-known/openid-configuration.';
  }
  const { protocol, hostname } = new URL(issuer);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopbackHost(hostname))) {
    return 'Its "issuer" is not at an address with https.';
  }
  if (clientId === undefined) {
    return 'It has no "clientId": what Knowhow is called at the provider.';
  }
  return clientSecretEnv !== undefined && variables[clientSecretEnv] === undefined
    ? `The environment variable ${clientSecretEnv} with its secret is not set.`
    : undefined;
}
