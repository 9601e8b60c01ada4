/** The public interface of `gateways`: other modules import only this. */
export { toOpenAiError } from './openai-api/openai-error.ts';
