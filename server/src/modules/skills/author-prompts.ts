import { isRecord } from '@knowhow/shared/is-record';
import { JsonLimitExceeded, parseBoundedJson } from '../../platform/lib/json-meter.ts';

/** A test prompt by the author of a skill. */
export interface AuthorPrompt {
  prompt: string;
  /** Whether the skill should be activated for it. */
  shouldTrigger: boolean;
}

const evalsFile = /^(?:evals?|trigger[\w-]*)\.json$/i;
const inEvals = /^evals?\/[^/]+\.json$/i;

/**
 * Whether a file of a skill may contain test prompts, by its path: `evals.json`, files named like
 * `trigger-evals.json`, and all JSON files in `evals/`.
 */
export function isEvalsFile(path: string): boolean {
  return evalsFile.test(path) || inEvals.test(path);
}

/** Whether a file is for trigger tests, by its path. */
export function isTriggerFile(path: string): boolean {
  return /^evals?\/trigger/i.test(path);
}

/** Whether the prompts of a file should not trigger the skill, by its name. */
export function isForOthers(path: string): boolean {
  return /negative/i.test(path.split('/').at(-1) ?? '');
}

const mebibyte = 1024 * 1024;
/** Parsing more would block the server. */
const jsonLimits = {
  maxBytes: mebibyte,
  maxDepth: 64,
  maxValues: 100_000,
  maxKeys: 1000,
  maxStringBytes: mebibyte,
};

/** The content of such a file, or why it is not used. */
export function parsePrompts(text: string): { json?: unknown; fault?: string } {
  try {
    return { json: parseBoundedJson(text, jsonLimits) };
  } catch (error) {
    const fault =
      error instanceof JsonLimitExceeded
        ? `The file has more than ${error.message} and is not read.`
        : 'The file cannot be read as JSON.';
    return { fault };
  }
}

/** The prompts in such a file. */
export function promptsIn(path: string, json: unknown): AuthorPrompt[] {
  const prompts = authorPrompts(json);
  return isForOthers(path)
    ? prompts.map(({ prompt }) => ({ prompt, shouldTrigger: false }))
    : prompts;
}

/**
 * The prompts in an `evals/evals.json`, in any common format: `evals`, `cases`, a list, or a single
 * one; `prompt`, `query` or `input`. Other entries are skipped. No schema is used, because a file
 * may have tens of thousands of entries.
 */
export function authorPrompts(json: unknown): AuthorPrompt[] {
  const prompts: AuthorPrompt[] = [];
  for (const each of casesIn(json)) {
    const read = isRecord(each) ? promptIn(each) : undefined;
    if (read) {
      prompts.push(read);
    }
  }
  return prompts;
}

function casesIn(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) {
    return json;
  }
  if (!isRecord(json)) {
    return [];
  }
  const lists: unknown[] = [json.evals, json.cases, json.queries];
  return lists.find((list): list is unknown[] => Array.isArray(list)) ?? [json];
}

function promptIn(one: Record<string, unknown>): AuthorPrompt | undefined {
  const { prompt, query, input, should_trigger: shouldTrigger = true } = one;
  const texts = [prompt, query, input].filter((text) => text !== undefined);
  const [first] = texts;
  const isCase =
    texts.every((text) => typeof text === 'string') && typeof shouldTrigger === 'boolean';
  return isCase && typeof first === 'string' && first.trim() !== ''
    ? { prompt: first, shouldTrigger: shouldTrigger && !isForNone(one) }
    : undefined;
}

const unwanted = /(?:^|[^a-z])(?:negative|false[-_ ]positive|near[-_ ]miss|should[-_ ]not)/i;

function isForNone({ expected_activation: expected, type, kind }: Record<string, unknown>) {
  return (
    expected === false ||
    [type, kind].some(
      (label) =>
        typeof label === 'string' && unwanted.test(label.replace(/^false[-_ ]negative/i, '')),
    )
  );
}
