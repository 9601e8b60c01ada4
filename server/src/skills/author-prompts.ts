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
