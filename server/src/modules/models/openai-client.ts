import type OpenAI from 'openai';
import { maxTimeoutMs } from './model-fetch.ts';

/**
 * OpenAI's client on top of our `fetch`, which alone knows address and key. These options stop the client from
 * reading `OPENAI_…` variables, logging and retrying.
 */
export async function createOpenAiClient(fetch: typeof globalThis.fetch): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  return new Client({
    fetch,
    baseURL: 'http://model.invalid',
    apiKey: 'held-by-our-fetch',
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout: maxTimeoutMs,
  });
}
