import type { ModelConfig } from '@knowhow/shared/config/models';
import { isLoopbackHost } from '../lib/is-loopback-host.ts';
import { modelHostOf } from './model-hosts.ts';
import { keyVariableOf, providerOf, vendorKeys } from './providers.ts';

export type ModelKey =
  /** The model can be asked; with this key, or with none. */
  | { ready: true; key: string | undefined }
  /** The model waits for this environment variable, or for this value in it. */
  | { ready: false; needs: string; withheld?: WithheldKey };

/** A key that is there, and may not be sent to the model's host. */
export interface WithheldKey {
  /** The environment variable that holds it. */
  variable: string;
  /** As `MODEL_HOSTS` takes it. */
  host: string;
}

/** What the environment says of keys. */
export interface KeySources {
  variables: Readonly<Record<string, string | undefined>>;
  /** Origins that may get keys besides the vendors' own and this machine. */
  modelHosts: readonly string[];
}

/** Finds a model's key: the one for this model alone, then its vendor's; and whether it may be sent. */
export function modelKey(config: ModelConfig, { variables, modelHosts }: KeySources): ModelKey {
  const names = modelKeyNames(config);
  const variable = names.find((name) => variables[name]);
  const needs = names.at(-1);
  if (variable === undefined) {
    return needs !== undefined && needsKey(config)
      ? { ready: false, needs }
      : { ready: true, key: undefined };
  }
  const refused = refusedHost(config, modelHosts);
  return refused === undefined
    ? { ready: true, key: variables[variable] }
    : { ready: false, needs: `MODEL_HOSTS=${refused}`, withheld: { variable, host: refused } };
}

/** The environment variables that may hold a model's key, the most particular one first. */
export function modelKeyNames(config: ModelConfig): string[] {
  const { id, apiKeyEnv } = config;
  const provider = providerOf(config);
  if (provider.kind === 'built-in') {
    return [];
  }
  if (apiKeyEnv !== undefined) {
    return [apiKeyEnv];
  }
  const own = `${id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_API_KEY`;
  const vendor = provider.keyVariable;
  // Whatever a model is called, the key of another vendor is not its own.
  const isOwn = !vendorKeys.includes(own);
  return [...(isOwn ? [own] : []), ...(vendor === undefined ? [] : [vendor])];
}

/** Why a key is not sent, and what to do, in two sentences. */
export function describeWithheld({ variable, host }: WithheldKey): string {
  return `The key of ${variable} is not sent to ${host}. Whoever runs the server can allow it: MODEL_HOSTS=${host}`;
}

/** The host a key would go to, when it may not; whole origins are compared, as they are asked. */
function refusedHost(config: ModelConfig, modelHosts: readonly string[]): string | undefined {
  const provider = providerOf(config);
  if (provider.kind === 'built-in') {
    return undefined;
  }
  const { origin } = new URL(provider.address(config));
  const vendor = new URL(provider.address({ ...config, url: '' })).origin;
  const isAllowed = origin === vendor || isLoopback(origin) || modelHosts.includes(origin);
  return isAllowed ? undefined : modelHostOf(origin);
}

/** Whether a model answers nobody without a key. */
export function needsKey(config: ModelConfig): boolean {
  return keyVariableOf(providerOf(config)) !== undefined && !(config.url && isLoopback(config.url));
}

/** Whether the address is this machine: such a server needs no key, and may get one. */
function isLoopback(address: string): boolean {
  return isLoopbackHost(new URL(address).hostname);
}
