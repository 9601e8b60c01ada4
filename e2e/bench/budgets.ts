import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../start-knowhow.ts';
import type { Figure, Measure } from './measures.ts';
import type { DatabaseName } from './stand.ts';

/** By database and name of the figure, in its unit. */
type Budgets = Partial<Record<DatabaseName, Record<string, number>>>;

const budgets: Budgets = JSON.parse(
  readFileSync(join(repositoryRoot, 'e2e/bench/budgets.json'), 'utf8'),
);

/** The budget of a figure, and whether the whole confidence interval is on its wrong side. */
export function compareWithBudget(
  on: DatabaseName,
  { name, target }: Measure,
  { value, interval = { low: value, high: value } }: Figure,
): { value: number; isOver: boolean } | undefined {
  const budget = budgets[on]?.[name];
  if (budget === undefined) {
    return undefined;
  }
  const isLowerBound = target !== undefined && 'atLeast' in target;
  return { value: budget, isOver: isLowerBound ? interval.high < budget : interval.low > budget };
}
