import type { HrTime } from '@opentelemetry/api';
import {
  type Attributes,
  type Context,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { EndedTurn, ModelStep, ToolStep } from '../../chat/index.ts';
import { parseTraceparent } from './trace-parent.ts';
import { type ActivationAttempt, findActivations } from './turn-activations.ts';
import { errorAttributes, errorTypeOf, modelAttributes, toolNameOf } from './turn-attributes.ts';

/** Creates the spans of a finished turn from its steps. They contain no text of the conversation. */
export function traceTurn(tracer: Tracer, ended: EndedTurn): void {
  const { turn, at, ms, last } = ended;
  const { conversation, answer } = turn.start;
  const errorType = last.type === 'error' ? last.code : undefined;
  const common = {
    'gen_ai.agent.name': conversation.appId,
    'gen_ai.conversation.id': conversation.id,
  };
  const context = addSpan(tracer, parseTraceparent(turn.traceparent), {
    name: `invoke_agent ${conversation.appId}`,
    at,
    ms,
    errorType,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      ...common,
      ...finishReasons(last.type === 'done' ? last.finishReason : undefined),
      ...usage(answer.usage),
    },
  });
  const activations = findActivations(ended);
  for (const step of turn.steps) {
    const attempt = activations.find((each) => each.step === step);
    const span = step.type === 'model' ? modelSpan(step) : toolSpan(step, attempt);
    addSpan(tracer, context, { ...span, attributes: { ...common, ...span.attributes } });
  }
  for (const attempt of activations.filter((each) => !each.step)) {
    addSpan(tracer, context, {
      name: `activate_skill ${attempt.name}`,
      at: Math.max(at, attempt.at),
      ms: 0,
      errorType: undefined,
      attributes: { ...common, ...skillAttributes(attempt) },
    });
  }
}

interface SpanData {
  name: string;
  kind?: SpanKind;
  at: number;
  ms: number;
  errorType: string | undefined;
  attributes: Attributes;
}

/** Adds a finished span and returns the context for its children. */
function addSpan(
  tracer: Tracer,
  parent: Context,
  { name, kind = SpanKind.INTERNAL, at, ms, errorType, attributes }: SpanData,
): Context {
  const options = {
    kind,
    startTime: spanTime(at),
    attributes: { ...attributes, ...errorAttributes(errorType) },
  };
  const span = tracer.startSpan(name, options, parent);
  if (errorType !== undefined) {
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(spanTime(at + ms));
  return trace.setSpan(parent, span);
}

function modelSpan(step: ModelStep): SpanData {
  const { config, request, purpose, at, ms, firstMs, stop } = step;
  return {
    name: `chat ${config.modelId}`,
    kind: SpanKind.CLIENT,
    at,
    ms,
    errorType: errorTypeOf(step.error),
    attributes: {
      ...modelAttributes(step),
      'knowhow.purpose': purpose,
      'gen_ai.request.stream': true,
      ...optionalAttribute('gen_ai.request.max_tokens', request.maxOutputTokens),
      ...optionalAttribute('gen_ai.request.temperature', request.temperature),
      ...optionalAttribute('gen_ai.response.time_to_first_chunk', firstMs && firstMs / 1000),
      ...finishReasons(stop),
      ...usage(step.usage),
    },
  };
}

function toolSpan(step: ToolStep, attempt: ActivationAttempt | undefined): SpanData {
  const tool = toolNameOf(step);
  const skill = attempt?.name === undefined ? '' : ` ${attempt.name}`;
  return {
    name: `execute_tool ${tool}${skill}`,
    at: step.at,
    ms: step.ms,
    errorType: step.isError ? 'tool-error' : undefined,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.type': 'function',
      ...(attempt ? skillAttributes(attempt) : {}),
    },
  };
}

function skillAttributes({ name, via, outcome, tokens }: ActivationAttempt): Attributes {
  return {
    ...optionalAttribute('gen_ai.skill.name', name),
    'knowhow.skill.via': via,
    'knowhow.skill.outcome': outcome,
    ...optionalAttribute('knowhow.skill.tokens', tokens),
  };
}

function usage(tokens: { inputTokens: number; outputTokens: number } | undefined): Attributes {
  return {
    ...optionalAttribute('gen_ai.usage.input_tokens', tokens?.inputTokens),
    ...optionalAttribute('gen_ai.usage.output_tokens', tokens?.outputTokens),
  };
}

function finishReasons(reason: string | undefined): Attributes {
  return reason === undefined ? {} : { 'gen_ai.response.finish_reasons': [reason] };
}

function optionalAttribute(name: string, value: string | number | undefined): Attributes {
  return value === undefined ? {} : { [name]: value };
}

/** @param ms milliseconds since 1970, with fractions */
function spanTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
