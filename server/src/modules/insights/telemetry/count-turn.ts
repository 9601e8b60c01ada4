import type { Attributes, Histogram, Meter } from '@opentelemetry/api';
import type { EndedTurn, ModelStep } from '../../chat/index.ts';
import { findActivations } from './turn-activations.ts';
import { errorAttributes, errorTypeOf, modelAttributes, toolNameOf } from './turn-attributes.ts';

/** Maximum cardinality of a label, because each value is kept for the lifetime of the process. */
const maxNames = 200;

/** Returns names unchanged until there are too many; new ones then become `other`. */
function boundedNames(): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.size < maxNames) {
      known.add(name);
    }
    return known.has(name) ? name : 'other';
  };
}

/** Bucket bounds from the OpenTelemetry semantic conventions for generative AI. */
const callSeconds = exponentialBounds(0.01, 14);
const turnSeconds = exponentialBounds(0.1, 13);
const tokenCounts = Array.from({ length: 14 }, (_, index) => 4 ** index);

/** Creates a function that records the metrics of a turn. */
export function createTurnCounts(meter: Meter): (ended: EndedTurn) => void {
  const histogram = (name: string, unit: string, bounds: number[], description: string) =>
    meter.createHistogram(name, {
      unit,
      description,
      advice: { explicitBucketBoundaries: bounds },
    });
  const turns = histogram('gen_ai.invoke_agent.duration', 's', turnSeconds, 'Turns of chats.');
  const tools = histogram('gen_ai.execute_tool.duration', 's', callSeconds, 'Calls of tools.');
  const countRequest = createRequestCounts(histogram);
  const activations = meter.createCounter('knowhow.skill.activations', {
    description: 'Activations of skills, and attempts at it.',
  });
  const appName = boundedNames();
  const skillName = boundedNames();
  return (ended) => {
    const { turn, ms, last } = ended;
    const app = { 'gen_ai.agent.name': appName(turn.start.conversation.appId) };
    const errorType = last.type === 'error' ? last.code : undefined;
    turns.record(ms / 1000, { ...app, ...errorAttributes(errorType) });
    for (const step of turn.steps) {
      if (step.type === 'model') {
        countRequest(step);
      } else {
        const failed = errorAttributes(step.isError ? 'tool-error' : undefined);
        tools.record(step.ms / 1000, { 'gen_ai.tool.name': toolNameOf(step), ...failed });
      }
    }
    for (const { name, via, outcome } of findActivations(ended)) {
      activations.add(1, {
        ...(name === undefined ? {} : { 'gen_ai.skill.name': skillName(name) }),
        'knowhow.skill.via': via,
        'knowhow.skill.outcome': outcome,
      });
    }
  };
}

type MakeHistogram = (
  name: string,
  unit: string,
  bounds: number[],
  description: string,
) => Histogram;

/** Creates a function that records the metrics of a model request. */
function createRequestCounts(histogram: MakeHistogram): (step: ModelStep) => void {
  const name = 'gen_ai.client.operation';
  const durations = histogram(`${name}.duration`, 's', callSeconds, 'Requests to models.');
  const firsts = histogram(
    `${name}.time_to_first_chunk`,
    's',
    callSeconds,
    'Until the first word or call.',
  );
  const tokens = histogram(
    'gen_ai.client.token.usage',
    '{token}',
    tokenCounts,
    'Tokens, as the provider counts them.',
  );
  const modelName = boundedNames();
  return (step) => {
    const { config, ms, firstMs, usage } = step;
    const model: Attributes = {
      ...modelAttributes(step),
      'gen_ai.request.model': modelName(config.modelId),
    };
    durations.record(ms / 1000, { ...model, ...errorAttributes(errorTypeOf(step.error)) });
    if (firstMs !== undefined) {
      firsts.record(firstMs / 1000, model);
    }
    if (usage) {
      tokens.record(usage.inputTokens, { ...model, 'gen_ai.token.type': 'input' });
      tokens.record(usage.outputTokens, { ...model, 'gen_ai.token.type': 'output' });
    }
  };
}

function exponentialBounds(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first * 2 ** index);
}
