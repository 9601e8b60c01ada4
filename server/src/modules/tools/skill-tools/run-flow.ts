import { isRecord } from '@knowhow/shared/is-record';
import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';
import { parseBoundedJson } from '../../../platform/lib/json-meter.ts';
import { parseJson } from '../../../platform/lib/parse-json.ts';
import type { SkillTool } from '../../skills/index.ts';
import type { PageCall } from '../builtin/read-page.ts';
import type { ToolCall, ToolResult } from '../tool.ts';
import { fillJson, fillPaths, toText } from './value-path.ts';

export type FlowStep = Extract<SkillTool['run'], { type: 'flow' }>['steps'][number];

/** The access of a flow's steps. */
export interface FlowServices {
  /** Guarded against SSRF. */
  fetch: typeof fetch;
  /** A page as text, or the HTML matching a selector. */
  readPage(page: PageRequest, call: PageCall): Promise<string>;
}

export interface PageRequest {
  url: string;
  as: 'text' | 'html';
  selector?: string | undefined;
}

type Call = Pick<ToolCall, 'signal' | 'caller' | 'progress' | 'model'>;
type Values = Record<string, unknown>;

/** Maximum characters of an intermediate value, and of the model's result. */
const maxValueLength = 1_000_000;
const maxResultLength = 65_536;
const notJson = 'what it was to send is not valid JSON.';
const braces = /\$\{([^{}]+)\}/g;

/**
 * Runs the steps of a flow and stops at the first failure, returning earlier results with the
 * error. The model may be called up to its own limit.
 */
export async function runFlow(
  { title, steps }: { title: string; steps: readonly FlowStep[] },
  input: Readonly<Record<string, unknown>>,
  { means, call }: { means: FlowServices; call: Call },
): Promise<ToolResult> {
  const values: Values = { ...startValues(steps), ...given(input) };
  const working = steps.filter(({ type }) => type !== 'start');
  const results: Values = {};
  for (const [at, { type, config }] of working.entries()) {
    call.signal.throwIfAborted();
    const name = `Step ${at + 1} of ${working.length}`;
    try {
      const filled = fillStep(config, values);
      call.progress(`${name}: ${describeStep(type, filled)}`);
      const result = await runStep({ type, config: filled }, means, call);
      const variable = textIn(config.resultVariable) ?? textIn(config.responseVariable);
      if (variable !== undefined) {
        values[variable] = result;
      }
      if (config.directOutput === true) {
        return { ...done(title, result), directOutput: directText(result) };
      }
      results[variable ?? `step_${at + 1}`] = truncateResult(result);
    } catch (error) {
      call.signal.throwIfAborted();
      const reason = getErrorMessage(error);
      return failed(`${name} of "${title}" failed: ${reason}`, results);
    }
  }
  const all = Object.values(results);
  return done(title, all.length === 1 ? all[0] : results);
}

/**
 * Fills in a step's placeholders. Values in a URL are percent-encoded, so that they cannot change
 * host, path or query. Values in a JSON body cannot break out of their quotes.
 */
function fillStep({ url, body, ...others }: Values, values: Values): Values {
  const filled = fillPaths(others, values, braces) as Values;
  return {
    ...filled,
    ...(url === undefined ? {} : { url: fillPaths(url, values, braces, encodeInAddress) }),
    ...(body === undefined ? {} : { body: fillBody(body, others.bodyType, values) }),
  };
}

function fillBody(body: unknown, type: unknown, values: Values): unknown {
  if (type !== 'json' || typeof body !== 'string' || isSinglePlaceholder(body)) {
    return fillPaths(body, values, braces);
  }
  const filled = body.trim() === '' ? '' : fillJson(body, values, braces);
  if (filled === undefined) {
    throw new Error(notJson);
  }
  return filled;
}

/** A single placeholder: its value is the whole body. */
function isSinglePlaceholder(body: string): boolean {
  return /^\$\{[^{}]+\}$/.test(body);
}

/** A value may provide the start of a URL; a host may include a port. */
function encodeInAddress(text: string, before: string): string {
  const encoded = encodeURIComponent(Buffer.from(text).toString());
  const isHost = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*$/i.test(before);
  return before.trim() === '' ? text : isHost ? encoded.replaceAll('%3A', ':') : encoded;
}

function startValues(steps: readonly FlowStep[]): Values {
  const variables = steps.find(({ type }) => type === 'start')?.config.variables;
  const named = (Array.isArray(variables) ? variables : []).flatMap((variable) => {
    const name = isRecord(variable) ? textIn(variable.name) : undefined;
    return isRecord(variable) && name !== undefined ? [[name, variable.value ?? '']] : [];
  });
  return Object.fromEntries(named);
}

/** Empty values fall back to the flow's defaults. */
function given(input: Readonly<Record<string, unknown>>): Values {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== ''));
}

function describeStep(type: string, config: Values): string {
  switch (type) {
    case 'apiCall':
      return `asks ${hostOf(config.url)}`;
    case 'webScraping':
      return `reads a page of ${hostOf(config.url)}`;
    default:
      return 'asks the model';
  }
}

/** Only the host: the rest of a URL may contain secrets. */
function hostOf(url: unknown): string {
  return URL.canParse(toText(url)) ? new URL(toText(url)).host : 'a server';
}

async function runStep(step: FlowStep, means: FlowServices, call: Call): Promise<unknown> {
  switch (step.type) {
    case 'apiCall':
      return callApi(step.config, means, call.signal);
    case 'llmInstruction':
      return askModel(toText(step.config.instruction), call);
    case 'webScraping':
      return scrape(step.config, means, call);
    default:
      throw new Error(`A step of the kind "${step.type}" cannot be run here.`);
  }
}

async function askModel(prompt: string, call: Call): Promise<string> {
  if (!call.model) {
    throw new Error('No model can be asked in this conversation.');
  }
  return call.model(prompt.slice(0, maxValueLength));
}

async function scrape(config: Values, means: FlowServices, call: Call): Promise<string> {
  const { captureAs = 'text', querySelector } = config;
  const as = captureAs === 'text' ? 'text' : 'html';
  const selector = captureAs === 'querySelector' ? textIn(querySelector) : undefined;
  const text = await means.readPage({ url: toText(config.url), as, selector }, call);
  if (text.trim() === '') {
    throw new Error('The page contains no text.');
  }
  return text.slice(0, maxValueLength);
}

const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

async function callApi(config: Values, means: FlowServices, signal: AbortSignal): Promise<unknown> {
  const method = toText(config.method ?? 'GET').toUpperCase();
  const headers = new Headers();
  for (const [key, value] of pairsOf(config.headers)) {
    headers.set(key, value);
  }
  const body = withBody.has(method) ? bodyOf(config, headers) : undefined;
  const request = { method, headers, signal, ...(body === undefined ? {} : { body }) };
  const response = await means.fetch(toText(config.url), request);
  const text = (await response.text()).slice(0, maxValueLength);
  if (!response.ok) {
    throw new Error(`the server answered ${response.status}. ${text.slice(0, 500)}`.trim());
  }
  return parseAnswer(text);
}

/** A larger JSON response remains text. */
const answerLimits = {
  maxBytes: 4 * maxValueLength,
  maxDepth: 64,
  maxValues: 50_000,
  maxKeys: 10_000,
  maxStringBytes: 4 * maxValueLength,
};

function parseAnswer(text: string): unknown {
  try {
    return parseBoundedJson(text, answerLimits);
  } catch {
    return text;
  }
}

function bodyOf(config: Values, headers: Headers): string | undefined {
  const { bodyType, formData, body } = config;
  switch (bodyType) {
    case 'form':
      headers.set('content-type', 'application/x-www-form-urlencoded');
      return new URLSearchParams(pairsOf(formData)).toString();
    case 'json':
      headers.set('content-type', 'application/json');
      return jsonOf(body);
    default:
      return body === undefined || body === '' ? undefined : toText(body);
  }
}

function jsonOf(body: unknown): string | undefined {
  if (body === undefined || body === '') {
    return undefined;
  }
  const value = typeof body === 'string' ? parseJson(body) : body;
  if (value === undefined) {
    throw new Error(notJson);
  }
  return JSON.stringify(value);
}

function pairsOf(list: unknown): [string, string][] {
  return (Array.isArray(list) ? list : []).flatMap((pair) => {
    const key = isRecord(pair) ? textIn(pair.key) : undefined;
    return isRecord(pair) && key !== undefined ? [[key, toText(pair.value ?? '')]] : [];
  });
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function done(title: string, result: unknown): ToolResult {
  return { content: truncateMiddle(toText(result)) || 'Done.', isError: false, summary: title };
}

/** Text unchanged; other values as a JSON block. */
function directText(result: unknown): string {
  return typeof result === 'string'
    ? truncateMiddle(result)
    : `\`\`\`json\n${truncateMiddle(JSON.stringify(result, null, 2))}\n\`\`\``;
}

function failed(sentence: string, results: Values): ToolResult {
  const before = Object.keys(results).length === 0 ? '' : ` Before that: ${toText(results)}`;
  return { content: truncateMiddle(`${sentence}${before}`), isError: true, summary: 'failed' };
}

/** Truncates large results, so that several fit. */
function truncateResult(result: unknown): unknown {
  const text = toText(result);
  return text.length > maxResultLength ? truncateMiddle(text) : result;
}

/** Truncates long texts in the middle. */
export function truncateMiddle(text: string): string {
  return text.length <= maxResultLength
    ? text
    : `${text.slice(0, maxResultLength / 2)}\n[…]\n${text.slice(-maxResultLength / 2)}`;
}
