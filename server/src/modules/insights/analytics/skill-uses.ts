import { activationVia, endReasons } from '@knowhow/shared/chat/chat';
import type { Costs, SkillUse, Thumbs } from '@knowhow/shared/config/analytics';
import type { RowsOf } from '../../../platform/storage/long-reads.ts';
import type { SkillSnapshot } from '../../skills/index.ts';
import type { reportQueries } from './query-facts.ts';

export type ReportRows = RowsOf<ReturnType<typeof reportQueries>>;
type Events = ReportRows['skillEvents'];

/** Usage of each skill, most used first, followed by those that were only requested. */
export function skillUses(
  rows: Pick<ReportRows, 'skillUses' | 'skillEvents' | 'skillCosts' | 'skillThumbs'>,
  snapshot: SkillSnapshot,
): SkillUse[] {
  const skills = new Map<string, SkillUse>();
  const getUse = (name: string): SkillUse => {
    const known = skills.get(name) ?? createUse(name, snapshot.skills.has(name));
    skills.set(name, known);
    return known;
  };
  for (const row of rows.skillUses) {
    const { skill, conversations, answers } = row;
    Object.assign(getUse(skill), { conversations, answers, ...tokensOf(row) });
  }
  for (const event of rows.skillEvents.filter(({ skill }) => skill !== '')) {
    addEvent(getUse(event.skill), event);
  }
  for (const { skill, ...cost } of rows.skillCosts) {
    getUse(skill).costs.push(...costsOf([cost]));
  }
  for (const { skill, ...thumb } of rows.skillThumbs) {
    getUse(skill).thumbs[thumb.value] += thumb.times;
  }
  return [...skills.values()];
}

/** Event totals of all skills. */
export function eventsOf(events: Events): Pick<SkillUse, 'activations' | 'refused' | 'limited'> {
  const all = createUse('', false);
  for (const event of events) {
    addEvent(all, event);
  }
  const { activations, refused, limited } = all;
  return { activations, refused, limited };
}

export function sumThumbs(rows: readonly { value: 'up' | 'down'; times: number }[]): Thumbs {
  const thumbs = { up: 0, down: 0 };
  for (const { value, times } of rows) {
    thumbs[value] += times;
  }
  return thumbs;
}

export function costsOf(
  rows: readonly { currency: string | null; amount: number | null }[],
): Costs {
  return rows.map(({ currency, amount }) => ({ currency: currency ?? '', amount: amount ?? 0 }));
}

export function tokensOf(row: {
  input_tokens: number | null;
  cached_tokens: number | null;
  output_tokens: number | null;
}): Pick<SkillUse, 'inputTokens' | 'cachedTokens' | 'outputTokens'> {
  return {
    inputTokens: row.input_tokens ?? 0,
    cachedTokens: row.cached_tokens ?? 0,
    outputTokens: row.output_tokens ?? 0,
  };
}

function createUse(name: string, exists: boolean): SkillUse {
  return {
    name,
    exists,
    conversations: 0,
    answers: 0,
    activations: zeroCounts(activationVia),
    ended: zeroCounts(endReasons),
    refused: 0,
    limited: 0,
    inputTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    costs: [],
    instructionTokens: 0,
    thumbs: { up: 0, down: 0 },
  };
}

function zeroCounts<Key extends string>(keys: readonly Key[]): Record<Key, number> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>;
}

function addEvent(use: SkillUse, { event, detail, times, tokens }: Events[number]): void {
  switch (event) {
    case 'activated':
      use.instructionTokens += tokens;
      increment(use.activations, detail, times);
      return;
    case 'ended':
      increment(use.ended, detail, times);
      return;
    case 'refused':
    case 'limited':
      use[event] += times;
      return;
    case 'active':
  }
}

/** Rows of another version may have keys that this one does not know. */
function increment(counts: Record<string, number>, key: string, times: number): void {
  if (Object.hasOwn(counts, key)) {
    counts[key] = (counts[key] ?? 0) + times;
  }
}
