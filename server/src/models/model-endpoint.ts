import type { ModelConfig } from '@knowhow/shared/models';
import { isLoopbackHost } from '../lib/is-loopback-host.ts';

type NetworkProvider = Exclude<ModelConfig['provider'], 'demo'>;

interface EndpointRule {
  /** The vendor's own base. */
  base: string;
  /** The path after a base that names its version (`…/v1`). */
  path: string;
  /** The version to put before `path` when the base names none. */
  version: string;
  /** Whether a base with a path but no version (`https://host/gateway`) wants the version as well. */
  alwaysVersioned: boolean;
}

const openAiBase = 'https://api.openai.com/v1';
const chat = { path: 'chat/completions', version: 'v1', alwaysVersioned: false };

const rules: Record<Exclude<NetworkProvider, 'google'>, EndpointRule> = {
  openai: { base: openAiBase, ...chat },
  'openai-responses': { base: openAiBase, ...chat, path: 'responses' },
  mistral: { base: 'https://api.mistral.ai/v1', ...chat },
  local: { base: 'http://127.0.0.1:11434/v1', ...chat },
  anthropic: {
    base: 'https://api.anthropic.com',
    path: 'messages',
    version: 'v1',
    alwaysVersioned: true,
  },
};

const googleBase = 'https://generativelanguage.googleapis.com';

/**
 * The address that a model's requests go to: `config.url` when it is a full endpoint, else the
 * base it names with the provider's path, else the vendor's own. Queries are kept.
 */
export function modelEndpoint(config: ModelConfig & { provider: NetworkProvider }): string {
  if (config.provider === 'google') {
    return googleEndpoint(config.url || googleBase, config.modelId);
  }
  const rule = rules[config.provider];
  const url = new URL(config.url || rule.base);
  const path = trimSlashes(url.pathname);
  if (!endsWithPath(path, rule.path)) {
    const needsVersion = !endsWithVersion(path) && (path === '' || rule.alwaysVersioned);
    url.pathname = [path, needsVersion ? rule.version : '', rule.path].filter(Boolean).join('/');
  }
  return url.href;
}

/** Google's address names the model and the method too: `…/v1beta/models/<model>:streamGenerateContent`. */
function googleEndpoint(address: string, modelId: string): string {
  const url = new URL(address);
  const path = trimSlashes(url.pathname).replace(/:\w+$/, '');
  const base = path.replace(/(^|\/)models$/, '');
  const model = `models/${modelId.replace(/^models\//, '')}`;
  const named = /(^|\/)models\/[^/]+$/.test(path)
    ? path
    : [base, endsWithVersion(base) ? '' : 'v1beta', model].filter(Boolean).join('/');
  url.pathname = `${named}:streamGenerateContent`;
  url.searchParams.set('alt', 'sse');
  return url.href;
}

/** Whether the address is this machine: such a server needs no key, and may get one. */
export function isLoopback(address: string): boolean {
  return isLoopbackHost(new URL(address).hostname);
}

function endsWithPath(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`);
}

function endsWithVersion(path: string): boolean {
  return /(^|\/)v\d+\w*$/.test(path);
}

function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}
