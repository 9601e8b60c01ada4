import { Problem } from '@knowhow/shared/problem';
import type { Attributes } from '@opentelemetry/api';
import type { ModelStep, ToolStep } from '../chat/turn-steps.ts';
import { wasStopped } from '../lib/was-stopped.ts';
import { toolNames } from '../tools/run-tool.ts';

/** How the conventions for generative AI call those who serve models; others have our own name for them. */
const providerNames: Readonly<Record<string, string>> = {
  'openai-responses': 'openai',
  google: 'gcp.gen_ai',
  mistral: 'mistral_ai',
};

/** What names a request to a model, in spans and metrics. */
export function modelAttributes({ config }: ModelStep): Attributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providerNames[config.provider] ?? config.provider,
    'gen_ai.request.model': config.modelId,
  };
}

/** The name of a tool that there is: a model may call others, with any name. */
export function toolNameOf({ name, source }: ToolStep): string {
  return source !== undefined || toolNames.has(name) ? name : '_OTHER';
}

/** The code of a problem. None where it was stopped, which is no failure of what was stopped. */
export function errorTypeOf(error: unknown): string | undefined {
  if (error === undefined || wasStopped(error)) {
    return undefined;
  }
  if (error instanceof Problem) {
    return error.code;
  }
  return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : '_OTHER';
}

/** Attributes without those that are undefined. */
export function errorAttributes(errorType: string | undefined): Attributes {
  return errorType === undefined ? {} : { 'error.type': errorType };
}
