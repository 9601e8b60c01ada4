import { isRecord } from '@knowhow/shared/is-record';
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

/** Whether the prompts of a file should not trigger the skill, by its name. */
function isForOthers(path: string): boolean {
  return /negative/i.test(path.split('/').at(-1) ?? '');
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
 * may have hundreds of thousands of entries.
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
