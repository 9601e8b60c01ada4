import { z } from 'zod';

/** What an author wrote down to see whether a skill comes up. */
export interface AuthorPrompt {
  prompt: string;
  /** Whether the skill should come up for it. */
  shouldTrigger: boolean;
}

const caseSchema = z.looseObject({
  prompt: z.string().optional(),
  query: z.string().optional(),
  input: z.string().optional(),
  should_trigger: z.boolean().optional(),
  expected_activation: z.unknown().optional(),
  type: z.unknown().optional(),
  kind: z.unknown().optional(),
});
const casesSchema = z.array(z.unknown());
const fileSchema = z.union([
  casesSchema,
  z.looseObject({ evals: casesSchema }).transform(({ evals }) => evals),
  z.looseObject({ cases: casesSchema }).transform(({ cases }) => cases),
  z.looseObject({ queries: casesSchema }).transform(({ queries }) => queries),
  z.looseObject({}).transform((one): unknown[] => [one]),
]);

const evalsFile = /^(?:evals?|trigger[-_]?\w*(?:[-_]\w+)*)\.json$/i;
const inEvals = /^evals?\/[^/]+\.json$/i;

/**
 * Whether a file of a skill, by its path in the folder, may hold such prompts: `evals.json` and files named
 * like `trigger-evals.json`, and every JSON file in `evals/`.
 */
export function isEvalsFile(path: string): boolean {
  return evalsFile.test(path) || inEvals.test(path);
}

/** Whether the prompts of a file are, by its name, to bring up another skill, or none. */
function isForOthers(path: string): boolean {
  return /negative/i.test(path.split('/').at(-1) ?? '');
}

/** The prompts in the text of such a file; undefined when it is not JSON. */
export function promptsIn(path: string, text: string): AuthorPrompt[] | undefined {
  try {
    const prompts = authorPrompts(JSON.parse(text.replace(/^\uFEFF/, '')));
    return isForOthers(path)
      ? prompts.map(({ prompt }) => ({ prompt, shouldTrigger: false }))
      : prompts;
  } catch {
    return undefined;
  }
}

/**
 * The prompts in an `evals/evals.json`, in any of the forms that are common: `evals`, `cases`, a list, or
 * one alone; `prompt`, `query` or `input`. Anything else is passed over.
 */
export function authorPrompts(json: unknown): AuthorPrompt[] {
  const file = fileSchema.safeParse(json);
  return (file.data ?? []).flatMap((each) => {
    const { data } = caseSchema.safeParse(each);
    const prompt = data?.prompt ?? data?.query ?? data?.input;
    return data && prompt !== undefined && prompt.trim() !== ''
      ? [{ prompt, shouldTrigger: shouldTrigger(data) }]
      : [];
  });
}

const unwanted = /(?:^|[^a-z])(?:negative|false[-_ ]positive|near[-_ ]miss|should[-_ ]not)/i;

function shouldTrigger({
  should_trigger: said = true,
  expected_activation: expected,
  type,
  kind,
}: z.output<typeof caseSchema>): boolean {
  const isOther = [type, kind].some(
    (label) =>
      typeof label === 'string' && unwanted.test(label.replace(/^false[-_ ]negative/i, '')),
  );
  return said && expected !== false && !isOther;
}
