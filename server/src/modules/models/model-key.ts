import type { ModelConfig } from '@knowhow/shared/config/models';
import { isLoopbackHost } from '../../platform/lib/is-loopback-host.ts';
import { toModelHost } from './model-hosts.ts';
import { findProvider, getKeyVariable, vendorKeys } from './providers.ts';

export type ModelKey =
  /** The model can be used, with this key or without one. */
  | { ready: true; key: string | undefined }
  /** The model needs this environment variable, or this value in it. */
  | { ready: false; needs: string; withheld?: WithheldKey };

/** An existing key that may not be sent to the model's host. */
export interface WithheldKey {
  /** The environment variable with the key. */
  variable: string;
  /** As an entry of `MODEL_HOSTS`. */
  host: string;
}

/** Sources of API keys in the environment. */
export interface KeySources {
  variables: Readonly<Record<string, string | undefined>>;
  /** Origins that may receive keys, besides the vendors' own and localhost. */
  modelHosts: readonly string[];
}

/** Finds a model's API key: its own, else its vendor's. Also checks whether the key may be sent to its host. */
export function findModelKey(config: ModelConfig, { variables, modelHosts }: KeySources): ModelKey {
  const names = modelKeyNames(config);
  const variable = names.find((name) => variables[name]);
  const needs = names.at(-1);
  if (variable === undefined) {
    return needs !== undefined && needsKey(config)
      ? { ready: false, needs }
      : { ready: true, key: undefined };
  }
  const refused = findForbiddenHost(config, modelHosts);
  return refused === undefined
    ? { ready: true, key: variables[variable] }
    : { ready: false, needs: `MODEL_HOSTS=${refused}`, withheld: { variable, host: refused } };
}

/** Environment variables that may hold a model's key, most specific first. */
export function modelKeyNames(config: ModelConfig): string[] {
  const { id, apiKeyEnv } = config;
  const provider = findProvider(config);
  if (provider.kind === 'built-in') {
    return [];
  }
  if (apiKeyEnv !== undefined) {
    return [apiKeyEnv];
  }
  const own = `${id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_API_KEY`;
  const vendor = provider.keyVariable;
  // A model's ID must not give it another vendor's key.
  const isOwn = !vendorKeys.includes(own);
  return [...(isOwn ? [own] : []), ...(vendor === undefined ? [] : [vendor])];
}

/** Explains in two sentences why a key is withheld and what to do. */
export function describeWithheld({ variable, host }: WithheldKey): string {
  return `The key of ${variable} is not sent to ${host}. The server's operator can allow it: MODEL_HOSTS=${host}`;
}

/** The host that must not receive the key, if so; compares whole origins. */
function findForbiddenHost(config: ModelConfig, modelHosts: readonly string[]): string | undefined {
  const provider = findProvider(config);
  if (provider.kind === 'built-in') {
    return undefined;
  }
  const { origin } = new URL(provider.address(config));
  const vendor = new URL(provider.address({ ...config, url: '' })).origin;
  const isAllowed = origin === vendor || isLoopback(origin) || modelHosts.includes(origin);
  return isAllowed ? undefined : toModelHost(origin);
}

/** Whether a model requires a key. */
export function needsKey(config: ModelConfig): boolean {
  return (
    getKeyVariable(findProvider(config)) !== undefined && !(config.url && isLoopback(config.url))
  );
}

/** Whether the address is localhost: such a server needs no key, and may receive one. */
function isLoopback(address: string): boolean {
  return isLoopbackHost(new URL(address).hostname);
}
