/** What other modules may import from `gateways`. */
export { toOpenAiError } from './openai-api/openai-error.ts';
