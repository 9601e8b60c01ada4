import { Problem } from '@knowhow/shared/problem';
import type { Attributes } from '@opentelemetry/api';
import { isCancellation } from '../../../platform/lib/is-cancellation.ts';
import type { ModelStep, ToolStep } from '../../chat/index.ts';

/** Provider names in the semantic conventions for generative AI; others keep our name. */
const providerNames: Readonly<Record<string, string>> = {
  'openai-responses': 'openai',
  google: 'gcp.gen_ai',
  mistral: 'mistral_ai',
};

/** Attributes that identify a model request in spans and metrics. */
export function modelAttributes({ config }: ModelStep): Attributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providerNames[config.provider] ?? config.provider,
    'gen_ai.request.model': config.modelId,
  };
}

/** Name of an existing tool; a model may call others by any name, which would leak text and cardinality. */
export function toolNameOf({ name, source }: ToolStep): string {
  return source === undefined ? '_OTHER' : name;
}

/** Code of a problem. Undefined if the work was stopped, which is not a failure. */
export function errorTypeOf(error: unknown): string | undefined {
  if (error === undefined || isCancellation(error)) {
    return undefined;
  }
  if (error instanceof Problem) {
    return error.code;
  }
  return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : '_OTHER';
}

/** Error attributes; empty if there is no error. */
export function errorAttributes(errorType: string | undefined): Attributes {
  return errorType === undefined ? {} : { 'error.type': errorType };
}
