import type { TriggerPrompt, TriggerResult } from '@knowhow/shared/skills/trigger-tests';

interface Results {
  prompts: readonly TriggerPrompt[];
  results: readonly TriggerResult[];
}

type Outcome = TriggerResult['outcome'];

/** A prompt of a run, with the result of each model. */
export interface PromptRow {
  prompt: TriggerPrompt;
  /** From 0, in the order of the run. */
  number: number;
  byModel: ReadonlyMap<string, ComparedResult>;
}

export interface ComparedResult extends TriggerResult {
  /** Its result in the previous run, if any. */
  before?: Outcome;
}

/** Results by prompt and model, matched with the previous run by text, expectation and model. */
export function compareRuns(run: Results, before: Results | undefined): PromptRow[] {
  const former = new Map<string, Outcome>();
  for (const { prompt, model, outcome } of before?.results ?? []) {
    former.set(getResultKey(before?.prompts[prompt], model), outcome);
  }
  return run.prompts.map((prompt, number) => {
    const own = run.results.filter((result) => result.prompt === number);
    const compared = own.map((result): [string, ComparedResult] => {
      const was = former.get(getResultKey(prompt, result.model));
      return [result.model, { ...result, ...(was === undefined ? {} : { before: was }) }];
    });
    return { prompt, number, byModel: new Map(compared) };
  });
}

/** Whether the runs overlap, and all common results are equal. */
export function isAllTheSame(rows: readonly PromptRow[]): boolean {
  const results = rows.flatMap(({ byModel }) => [...byModel.values()]);
  const inBoth = results.filter(({ before }) => before !== undefined);
  return inBoth.length > 0 && inBoth.every(({ before, outcome }) => before === outcome);
}

function getResultKey(prompt: TriggerPrompt | undefined, model: string): string {
  return JSON.stringify([prompt?.text, prompt?.expect, model]);
}
