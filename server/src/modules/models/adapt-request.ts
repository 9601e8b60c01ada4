import { isRecord } from '@knowhow/shared/is-record';
import type { Problem } from '@knowhow/shared/problem';
import { changeMessages, hasImages } from './change-messages.ts';
import type { StreamAnswer } from './guard-answer.ts';
import type { ModelRequest } from './model.ts';
import { getFailure } from './model-failure.ts';

/** Maximum adaptations remembered per model, and tried per request. */
const maxAdaptations = 16;
const maxTries = 6;
/** Maximum characters of an error that are searched. */
const maxSearched = 4000;

/**
 * Retries a request that a server rejected with an adaptation: a renamed limit, an omitted parameter, reordered
 * messages. Applies it to later requests of the same model too. An adaptation is remembered once a request with it
 * succeeds, for the lifetime of the client.
 *
 * @param asProblem converts the rejection for the log
 */
export function adaptToServer(
  stream: StreamAnswer,
  asProblem: (error: unknown) => Problem,
): StreamAnswer {
  const learned = new Set<string>();
  const learn = (tried: readonly string[]) => {
    for (const each of tried.slice(0, maxAdaptations)) {
      learned.add(each);
    }
  };
  return async function* answer(request, signal) {
    let tried: readonly string[] = [...learned];
    for (let remaining = maxTries; ; remaining -= 1) {
      const sent = { body: {} };
      const events = stream(adaptRequest(request, tried, sent), signal);
      let spoke = false;
      try {
        for await (const event of events) {
          if (!spoke) {
            spoke = true;
            learn(tried);
          }
          yield event;
        }
        return;
      } catch (error) {
        const next =
          spoke || signal.aborted || remaining === 0
            ? undefined
            : findAdaptation(error, { request, body: sent.body, tried });
        if (next === undefined) {
          throw error;
        }
        tried = [...tried, next];
        const refusedTool = toolIn(next);
        yield {
          type: 'retry',
          why: asProblem(error),
          waitMs: 0,
          ...(refusedTool === undefined ? {} : { refusedTool }),
        };
      }
    }
  };
}

/** Parameters that a request can do without, by their names in any protocol. */
const optionalFields = [
  ...['stream_options', 'temperature', 'reasoning_effort', 'response_format', 'tool_choice'],
  ...['parallel_tool_calls', 'strict', 'verbosity', 'thinking', 'output_config', 'reasoning'],
  ...['include', 'store', 'text', 'cache_control', 'prefix', 'index'],
  ...['thinkingConfig', 'thinkingLevel', 'thinkingBudget', 'includeThoughts', 'max_tokens'],
  ...['max_completion_tokens', 'max_output_tokens', 'top_p'],
];
/** Required fields of messages and calls. */
const neededFields: ReadonlySet<string> = new Set([
  ...['role', 'content', 'tool_calls', 'tool_call_id', 'id', 'type', 'function', 'name'],
  ...['arguments', 'input', 'call_id', 'output', 'source', 'image_url', 'tool_use_id', 'text'],
  ...['signature', 'data', 'summary', 'encrypted_content'],
]);

interface Refused {
  request: ModelRequest;
  body: object;
  tried: readonly string[];
}

/** The next adaptation that a rejection suggests; undefined if there is none. */
function findAdaptation(error: unknown, refused: Refused): string | undefined {
  const failure = getFailure(error);
  if (failure.kind !== 'reported' || !canBeRejection(failure.status)) {
    return undefined;
  }
  const words = failure.body.slice(0, maxSearched).replaceAll('invalid_request_error', '');
  const candidates = [
    ...renamedLimit(words, refused),
    ...changedMessages(words, refused),
    ...refusedTools(words, refused),
    ...omittedFields(words, refused.body),
  ];
  return candidates.find((each) => !refused.tried.includes(each));
}

/** Gateways also answer 500 for a template error, and errors inside a stream have no status. */
function canBeRejection(status: number | undefined): boolean {
  return status === undefined || [400, 404, 405, 415, 422, 500, 501].includes(status);
}

/** An out-of-range value does not mean that the parameter is unsupported. */
const outOfRange =
  /too (large|high|big|many)|at most|at least|less than|greater|exceed|range|maximum|minimum|> ?\d|supports? \d/i;

/** Newer OpenAI models only know `max_completion_tokens`; most other servers only `max_tokens`. */
function* renamedLimit(words: string, { body, tried }: Refused): Generator<string> {
  const isRenamed = tried.some((each) => each.startsWith('rename:'));
  if (!isRenamed && /max_(completion_)?tokens/.test(words) && !outOfRange.test(words)) {
    const names = ['max_tokens', 'max_completion_tokens'];
    yield* names.filter((name) => field(body, name) !== undefined).map((name) => `rename:${name}`);
  }
}

function* changedMessages(words: string, { request, body }: Refused): Generator<string> {
  const { messages } = request;
  const hasToolPictures = messages.some((each) => each.role === 'tool' && hasImages(each));
  if (
    /unexpected role|roles? must alternate|after role|(must|should|expected) (be followed|alternate)|consecutive (user|messages)|last role/i.test(
      words,
    )
  ) {
    yield 'alternate-roles';
    yield* hasToolPictures ? ['omit-tool-pictures'] : [];
  }
  if (hasToolPictures && /image|picture|vision|multi-?modal|content part/i.test(words)) {
    yield 'omit-tool-pictures';
  }
  if (
    request.system !== '' &&
    /system (role|messages?|prompts?|instructions?) (is |are )?not (supported|allowed|enabled)|developer instruction|(not|n't) support (the )?system|role.{0,9}system.{0,30}not (supported|allowed)/i.test(
      words,
    )
  ) {
    yield 'system-as-user';
  }
  if (
    /reasoning_content/.test(words) &&
    /missing|required|must be (passed|provided|present|set)|pass(ed)? back/i.test(words)
  ) {
    // Kimi accepts a space but not an empty text.
    yield* ['fill-reasoning', 'blank-reasoning'];
  }
  const hasNullContent = messagesOf(body).some(({ content }) => content === null);
  if (hasNullContent && /content/i.test(words) && /null|none|string|required/i.test(words)) {
    yield 'empty-content';
  }
}

const omittedTool = 'omit-tool:';

function toolIn(adaptation: string): string | undefined {
  return adaptation.startsWith(omittedTool) ? adaptation.slice(omittedTool.length) : undefined;
}

/** The tool whose schema a vendor rejects, by the name or index in the error. */
function* refusedTools(words: string, { request, tried }: Refused): Generator<string> {
  if (!/schema|propert|parameter|declaration/i.test(words)) {
    return;
  }
  const { tools } = withoutTools(request, tried);
  const named = [...words.matchAll(/(?:function|tool)\W{1,3}([\w-]{1,64})/gi)].map(
    ([, name]) => name,
  );
  // Google nests all tools in one, so the index refers to the inner list.
  const position = /declarations\W(\d{1,4})/i.exec(words) ?? /tools\W(\d{1,4})/i.exec(words);
  const indexedName = tools[Number(position?.[1])]?.name;
  for (const name of [...named, indexedName]) {
    if (tools.some((tool) => tool.name === name)) {
      yield omittedTool + name;
    }
  }
}

function withoutTools(request: ModelRequest, adaptations: readonly string[]): ModelRequest {
  const omitted = new Set(adaptations.map(toolIn));
  return { ...request, tools: request.tools.filter(({ name }) => !omitted.has(name)) };
}

/** Phrases that reject a parameter itself. */
const refusesField =
  /unsupported|not support|unrecognized|unknown|unexpected|not (permitted|allowed|accepted|available|enabled)|extra|additional|invalid|deprecated|only the default|cannot|can't|forbidden|does not exist|no such|remove|instead/i;

/** A name in quotes, in a path, or after a word such as `parameter`. */
const quotedName =
  /(?:["'`.[\\]|\b(?:parameters?|arguments?|supplied|fields?|property|keys?|inputs?|name)\W{1,3})([A-Za-z_]\w*)/g;

/** Optional fields of the body that an error names: in its `param`, in quotes or as a word. */
function* omittedFields(words: string, body: object): Generator<string> {
  if (!refusesField.test(words)) {
    return;
  }
  const named = new Set((words.match(/[A-Za-z_][\w-]*/g) ?? []).map(plainName));
  const quoted = new Set([...words.matchAll(quotedName)].map(([, name = '']) => plainName(name)));
  for (const field of fieldsIn(body)) {
    const isWord = /^[a-z]+$/.test(field) && field !== 'temperature';
    if ((isWord ? quoted : named).has(plainName(field)) && !isRangeOfLimit(field, words)) {
      yield `omit:${field}`;
    }
  }
}

function isRangeOfLimit(field: string, words: string): boolean {
  return field.startsWith('max_') && outOfRange.test(words);
}

/** Ignores case and underscores: `thinkingConfig` may be `thinking_config` in the error. */
function plainName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** Names that may be omitted from a body: optional parameters and fields that a vendor sent earlier. */
function fieldsIn(body: object): Set<string> {
  const found = new Set<string>();
  for (const owner of [...parametersOf(body), ...toolsOf(body)]) {
    for (const name of optionalFields.filter((each) => owner[each] !== undefined)) {
      found.add(name);
    }
  }
  for (const owner of messageParts(body)) {
    for (const [name, value] of Object.entries(owner)) {
      if (value !== undefined && !neededFields.has(name) && name.length <= 64) {
        found.add(name);
      }
    }
  }
  // A thinking block of Anthropic has a field with the parameter's name.
  if (!isParameter(body, 'thinking') && Array.isArray(field(body, 'system'))) {
    found.delete('thinking');
  }
  return found;
}

function isParameter(body: object, name: string): boolean {
  return field(body, name) !== undefined;
}

function field(owner: object, name: string): unknown {
  return (owner as Record<string, unknown>)[name];
}

type Fields = Record<string, unknown>;

function recordsIn(value: unknown): Fields[] {
  return (Array.isArray(value) ? value : [value]).filter(isRecord);
}

function parametersOf(body: object): Fields[] {
  const config = recordsIn(field(body, 'config'));
  const nested = [
    ...config.flatMap(({ thinkingConfig }) => recordsIn(thinkingConfig)),
    ...recordsIn(field(body, 'response_format')).flatMap(({ json_schema }) =>
      recordsIn(json_schema),
    ),
  ];
  return [...recordsIn(body), ...config, ...nested];
}

function toolsOf(body: object): Fields[] {
  return recordsIn(field(body, 'tools')).flatMap((tool) => [tool, ...recordsIn(tool.function)]);
}

function messagesOf(body: object): Fields[] {
  return [...recordsIn(field(body, 'messages')), ...recordsIn(field(body, 'input'))];
}

/** Messages, their tool calls and their content blocks. */
function messageParts(body: object): Fields[] {
  return [...messagesOf(body), ...recordsIn(field(body, 'system'))].flatMap((message) => [
    message,
    ...recordsIn(message.content),
    ...recordsIn(message.tool_calls).flatMap((call) => [call, ...recordsIn(call.function)]),
  ]);
}

/** Applies all adaptations to a request; stores its final body in `sent`. */
function adaptRequest(
  request: ModelRequest,
  adaptations: readonly string[],
  sent: { body: object },
): ModelRequest {
  const adapted = changeMessages(withoutTools(request, adaptations), new Set(adaptations));
  return {
    ...adapted,
    adaptBody: (body) => {
      sent.body = adaptations.length > 0 ? changeBody(body, adaptations) : body;
      return sent.body;
    },
  };
}

function changeBody(body: object, adaptations: readonly string[]): object {
  // Cloned, because parts of the body belong to the conversation.
  const changed: Fields = structuredClone(withoutUndefined(body));
  for (const adaptation of adaptations) {
    const [kind, name = ''] = adaptation.split(':');
    if (kind === 'rename') {
      renameLimit(changed, name);
    } else if (kind === 'omit') {
      omitField(changed, name);
    } else if (
      kind === 'fill-reasoning' ||
      kind === 'blank-reasoning' ||
      kind === 'empty-content'
    ) {
      fillMessages(changed, kind);
    }
  }
  return changed;
}

function withoutUndefined(body: object): Fields {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

function renameLimit(body: Fields, name: string): void {
  const other = name === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  if (body[name] !== undefined) {
    body[other] = body[name];
    delete body[name];
  }
}

function omitField(body: Fields, name: string): void {
  const isOptional = optionalFields.includes(name);
  const owners = [
    ...(isOptional ? [...parametersOf(body), ...toolsOf(body)] : []),
    ...(isOptional && isParameter(body, name) ? [] : messageParts(body)),
  ];
  for (const owner of owners) {
    delete owner[name];
  }
}

function fillMessages(
  body: Fields,
  kind: 'fill-reasoning' | 'blank-reasoning' | 'empty-content',
): void {
  for (const message of messagesOf(body)) {
    if (kind === 'empty-content' && message.content === null) {
      message.content = '';
    } else if (kind === 'fill-reasoning' && message.role === 'assistant') {
      message.reasoning_content ??= '';
    } else if (kind === 'blank-reasoning' && message.reasoning_content === '') {
      message.reasoning_content = ' ';
    }
  }
}
