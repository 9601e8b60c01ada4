import type { TriggerPrompt, TriggerResult } from '@knowhow/shared/skills/trigger-tests';

interface Results {
  prompts: readonly TriggerPrompt[];
  results: readonly TriggerResult[];
}

type Outcome = TriggerResult['outcome'];

/** A prompt of a run, with what each model did with it. */
export interface PromptRow {
  prompt: TriggerPrompt;
  /** From 0, in the order of the run. */
  number: number;
  byModel: ReadonlyMap<string, ComparedResult>;
}

export interface ComparedResult extends TriggerResult {
  /** What it was in the run before, where that had it. */
  before?: Outcome;
}

/** Results by prompt and model; those of the run before by the same text, expectation and model. */
export function compareRuns(run: Results, before: Results | undefined): PromptRow[] {
  const former = new Map<string, Outcome>();
  for (const { prompt, model, outcome } of before?.results ?? []) {
    former.set(keyOf(before?.prompts[prompt], model), outcome);
  }
  return run.prompts.map((prompt, number) => {
    const own = run.results.filter((result) => result.prompt === number);
    const compared = own.map((result): [string, ComparedResult] => {
      const was = former.get(keyOf(prompt, result.model));
      return [result.model, { ...result, ...(was === undefined ? {} : { before: was }) }];
    });
    return { prompt, number, byModel: new Map(compared) };
  });
}

/** Whether something was in both runs, and came out the same wherever it was. */
export function isAllTheSame(rows: readonly PromptRow[]): boolean {
  const results = rows.flatMap(({ byModel }) => [...byModel.values()]);
  const inBoth = results.filter(({ before }) => before !== undefined);
  return inBoth.length > 0 && inBoth.every(({ before, outcome }) => before === outcome);
}

/** Whether it came out as it should. */
export function isRight(outcome: Outcome): boolean {
  return outcome === 'hit' || outcome === 'left-alone';
}

function keyOf(prompt: TriggerPrompt | undefined, model: string): string {
  return JSON.stringify([prompt?.text, prompt?.expect, model]);
}
