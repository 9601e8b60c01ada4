import type OpenAI from 'openai';
import { longestTimeout } from './model-fetch.ts';

/**
 * OpenAI's client on our `fetch`, which alone knows address and key. What is set here keeps the
 * client from reading `OPENAI_…` variables, from logging and from trying again by itself.
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
    timeout: longestTimeout,
  });
}
