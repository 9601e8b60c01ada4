import { localize } from '@knowhow/shared/config/localized';
import type { ModelConfig } from '@knowhow/shared/config/models';
import { Problem, type ProblemCode, problem } from '@knowhow/shared/problem';
import { errorCode } from '../../platform/lib/error-code.ts';
import { type Failure, getFailure } from './model-failure.ts';
import { modelKeyNames } from './model-key.ts';
import { type ModelSecrets, providerReason } from './provider-reason.ts';
import { retryAfter } from './retry-after.ts';

/**
 * Converts any error of a provider, its client or the network into a problem for the user: which model, and what to
 * do. The provider's message is used to classify the error. With keys and addresses redacted, it becomes the
 * problem's `reason` for administrators.
 */
export function providerProblem(
  error: unknown,
  config: ModelConfig,
  secrets: ModelSecrets,
): Problem {
  const failure = getFailure(error);
  const { code, say } = classify(failure);
  const wait = getRetryAfter(failure);
  const detail = say({
    model: `The model "${localize(config.name, 'en')}"`,
    modelId: config.modelId,
    keys: modelKeyNames(config).join(' or '),
    again: wait === undefined ? 'in a minute' : `in ${wait} ${wait === 1 ? 'second' : 'seconds'}`,
    seconds: 'seconds' in failure ? failure.seconds : 0,
  });
  return problem(code, detail, {
    retryAfter: wait,
    reason: providerReason(failure, secrets),
    cause: error,
  });
}

/** Whether a retry may succeed: the provider is busy or down, or the connection was lost. */
export function isTransient(error: unknown): boolean {
  const failure = getFailure(error);
  switch (failure.kind) {
    case 'cut':
      return true;
    case 'unreachable':
      return ['ECONNRESET', 'EPIPE'].includes(errorCode(failure.error) ?? '');
    case 'reported': {
      const verdict = classify(failure);
      return failure.status === undefined
        ? verdict === verdicts.busy || verdict === verdicts.down
        : transientStatuses.has(failure.status) && transientVerdicts.has(verdict);
    }
    default:
      return false;
  }
}

/** Whether the model's output was unusable, so that a retry may succeed. */
export function isBadAnswer(error: unknown): boolean {
  const failure = getFailure(error);
  return failure.kind === 'no-candidate' || classify(failure) === verdicts.badCall;
}

/** Whether a problem of `providerProblem` means that the model or its server does not support tools. */
export function refusesTools(error: unknown): boolean {
  return error instanceof Problem && classify(getFailure(error.cause)) === verdicts.noTools;
}

/** The problem for an empty answer. */
export function emptyAnswerProblem(config: Pick<ModelConfig, 'name'>, reason: string): Problem {
  const { code, say } = verdicts.empty;
  const model = `The model "${localize(config.name, 'en')}"`;
  const fields = { model, modelId: '', keys: '', again: '', seconds: 0 };
  return problem(code, say(fields), { reason });
}

/** Whether the provider may not support some part of the request. */
export function isUnsupportedParameter(error: unknown): boolean {
  const failure = getFailure(error);
  return failure.kind === 'reported' && (failure.status === 400 || failure.status === 422);
}

interface MessageFields {
  model: string;
  modelId: string;
  /** Environment variables that may hold the key. */
  keys: string;
  again: string;
  seconds: number;
}

interface Verdict {
  code: ProblemCode;
  say: (fields: MessageFields) => string;
}

const verdicts = {
  key: {
    code: 'model-unauthorized',
    say: ({ model, keys }) =>
      `${model} refused its key. Ask the administrator to check ${keys} and what the key may use.`,
  },
  unknownModel: {
    code: 'model-not-found',
    say: ({ model, modelId }) =>
      `${model} is not known to its provider as "${modelId}". Ask the administrator to check its modelId and url.`,
  },
  busy: {
    code: 'model-rate-limited',
    say: ({ model, again }) => `${model} gets too many requests. Try again ${again}.`,
  },
  usedUp: {
    code: 'model-unavailable',
    say: ({ model }) =>
      `${model} has no credit left at its provider. Ask the administrator to check plan and billing, or choose another model.`,
  },
  redirect: {
    code: 'model-unreachable',
    say: ({ model }) =>
      `${model} has an address that leads elsewhere. Ask the administrator to set its url to the final one.`,
  },
  unreachable: {
    code: 'model-unreachable',
    say: ({ model }) =>
      `${model} cannot be reached. Ask the administrator to check that its server runs and that its url is right.`,
  },
  forbidden: {
    code: 'model-unreachable',
    say: ({ model }) =>
      `${model} has an address that only a machine and its host share, and no model is asked there. Ask the administrator to set its url to the model's own server.`,
  },
  down: {
    code: 'model-unreachable',
    say: ({ model }) =>
      `${model} is down or overloaded. Try again in a minute, or choose another model.`,
  },
  noAnswer: {
    code: 'model-unreachable',
    say: ({ model, seconds }) =>
      `${model} did not answer within ${seconds} seconds. Try again, or choose another model.`,
  },
  silent: {
    code: 'model-interrupted',
    say: ({ model, seconds }) =>
      `${model} sent nothing for ${seconds} seconds in the middle of its answer. Try again, or choose another model.`,
  },
  cut: {
    code: 'model-interrupted',
    say: ({ model }) => `${model} stopped in the middle of its answer. Try again.`,
  },
  garbage: {
    code: 'model-garbage',
    say: ({ model }) =>
      `${model} sent something that is not an answer. Ask the administrator to check its provider and url.`,
  },
  refused: {
    code: 'model-refused',
    say: ({ model }) =>
      `${model} declined to answer. Put the request in other words, or choose another model.`,
  },
  tooLong: {
    code: 'model-context-full',
    say: ({ model }) =>
      `${model} cannot read a conversation of this length. Start a new one, or choose a model with a larger context window.`,
  },
  tooLarge: {
    code: 'model-too-large',
    say: ({ model }) =>
      `${model} cannot be sent a request of this size. Leave out pictures or files, or ask the administrator to raise the limit of its server or proxy.`,
  },
  tooMuchOutput: {
    code: 'model-failed',
    say: ({ model }) =>
      `${model} cannot write as many tokens as it is asked for. Ask the administrator to lower its maxOutputTokens, or that of the app.`,
  },
  badCall: {
    code: 'model-failed',
    say: ({ model }) =>
      `${model} made a call of a tool that cannot be read. Try again, or choose another model.`,
  },
  empty: {
    code: 'model-empty',
    say: ({ model }) => `${model} returned an empty answer. Try again, or choose another model.`,
  },
  noTools: {
    code: 'model-failed',
    say: ({ model }) =>
      `${model} cannot use tools. Ask the administrator to set its supportsTools to false, or to switch tools on in its server.`,
  },
  failed: {
    code: 'model-failed',
    say: ({ model }) =>
      `${model} could not handle the request. Try again. If it keeps failing, ask the administrator to check the model's settings.`,
  },
} as const satisfies Record<string, Verdict>;

const transientStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 529]);
/** Some providers use such a status for permanent errors too: no credit, or a conversation that is too long. */
const transientVerdicts: ReadonlySet<Verdict> = new Set([
  verdicts.busy,
  verdicts.down,
  verdicts.failed,
]);

/** Error patterns of providers; the first row that matches the status or the text applies. */
const reports: { status?: RegExp; words?: RegExp; verdict: Verdict }[] = [
  { status: /^3/, verdict: verdicts.redirect },
  {
    status: /^402$/,
    words: /insufficient_quota|insufficient balance|credit balance|billing_error/i,
    verdict: verdicts.usedUp,
  },
  {
    status: /^40[13]$/,
    words:
      /api[ _-]key[ _](not[ _]valid|invalid)|(invalid|incorrect|wrong|missing|no) (x-)?api[ _-]?key|invalid[ _](api[ _]key|token)|(authentication|permission)_error|must be verified|unauthorized|no auth credentials/i,
    verdict: verdicts.key,
  },
  { status: /^429$/, words: /rate_limit|resource_exhausted/i, verdict: verdicts.busy },
  {
    words:
      /tool_use_failed|failed to call a function|(malformed|unexpected)_(function_call|tool_call|response)|error parsing tool call|invalid sequence as part of tooluse/i,
    verdict: verdicts.badCall,
  },
  {
    words:
      /\bmax_?(completion_?|output_?|new_?)?tokens\b.{0,40}(too (large|high|big)|greater|exceed|at most|less than|maximum|range|must be|> ?\d|≤)|(valid range of|supports? at most|maximum (allowed )?(number of )?(output|completion) tokens|exceed.{0,30}max_?(output_?|new_?)?tokens)/is,
    verdict: verdicts.tooMuchOutput,
  },
  {
    words:
      /context[ _](length|window|size)|maximum context|prompt is too long|input token count|too many tokens/i,
    verdict: verdicts.tooLong,
  },
  {
    status: /^413$/,
    words: /request(_| entity | body )too(_| )large/i,
    verdict: verdicts.tooLarge,
  },
  {
    words:
      /content_filter|content_policy|content management policy|moderation|prohibited_content|invalid_prompt/i,
    verdict: verdicts.refused,
  },
  {
    words:
      /not support (tool|function)|support tool use|(tools?|function)([ _-]?(use|calling))?\W+is not (enabled|supported)|unsupported parameter: \W?tools|--enable-auto-tool-choice|requires --jinja/i,
    verdict: verdicts.noTools,
  },
  { status: /^404$/, words: /model_not_found|not_found_error/i, verdict: verdicts.unknownModel },
  { status: /^(408|502|503|504|52\d)$/, words: /overloaded|unavailable/i, verdict: verdicts.down },
];

/** Maximum characters of an error that are searched. */
const maxSearched = 8000;

/** OpenAI reports both counts in one sentence; the output limit is to blame if it is the larger part. */
function asksTooMuchOutput(body: string): boolean {
  const counted =
    /\((\d{1,9}) in (?:the|your) (?:messages|prompt)[^)]{0,99}?(\d{1,9}) (?:in|for) the completion/i;
  const [, read = '0', written = '0'] = counted.exec(body) ?? [];
  return Number(written) > Number(read);
}

function classify(failure: Failure): Verdict {
  switch (failure.kind) {
    case 'reported': {
      const status = String(failure.status ?? '');
      const body = failure.body.slice(0, maxSearched);
      if (asksTooMuchOutput(body)) {
        return verdicts.tooMuchOutput;
      }
      return (
        reports.find((row) => row.status?.test(status) || row.words?.test(body))?.verdict ??
        verdicts.failed
      );
    }
    case 'no-candidate':
      return verdicts.empty;
    case 'no-answer':
      return verdicts.noAnswer;
    case 'unknown':
      return verdicts.failed;
    default:
      return verdicts[failure.kind];
  }
}

function getRetryAfter(failure: Failure): number | undefined {
  return failure.kind === 'reported' ? retryAfter(failure) : undefined;
}
