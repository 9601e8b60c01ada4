import { isPersonalSkillId } from '@knowhow/shared/skills/skill-id';
import { slug } from '@knowhow/shared/skills/skill-name';
import type { Insertable } from 'kysely';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { EndedTurn, ModelStep, PreparedTurn, TurnStep } from '../../chat/index.ts';
import { calculateCost } from '../../models/index.ts';
import type { SkillSnapshot } from '../../skills/index.ts';
import { weekOf } from './date-range.ts';

export type TurnFact = Insertable<Schema['turn_facts']>;
export type SkillFact = Insertable<Schema['skill_facts']>;

export interface TurnFacts {
  turn: TurnFact;
  skills: SkillFact[];
}

/** Metrics rows of a turn; they contain neither texts, user IDs nor personal skills. */
export function collectTurnFacts(
  { turn, at, ms, last }: EndedTurn,
  snapshot: SkillSnapshot,
): TurnFacts {
  const { start, steps } = turn;
  const { answer, conversation } = start;
  const skills = skillFacts(turn, snapshot);
  const searches = steps.flatMap((step) => ('found' in step ? [step.found] : []));
  const time = new Date(at).toISOString();
  return {
    skills,
    turn: {
      message_id: answer.id,
      conversation_id: start.mainConversationId ?? conversation.id,
      at: time,
      week: weekOf(time),
      app: conversation.appId,
      model: conversation.model,
      groups: JSON.stringify(getGroups(steps)),
      ...sumUse(steps.filter((step) => step.type === 'model')),
      ms: Math.round(ms),
      outcome: last.type === 'done' ? last.finishReason : 'error',
      skills: skills.filter(({ event }) => event === 'active').length,
      searches: searches.length,
      empty_searches: searches.filter((found) => found === 0).length,
    },
  };
}

/** The caller's groups at the end of the turn; empty if no model was asked. */
function getGroups(steps: readonly TurnStep[]): readonly string[] {
  const asked = steps.findLast((step) => step.type === 'model');
  return asked?.access.groups ?? [];
}

/** Token usage and cost of model requests. */
export type Use = Pick<
  TurnFact,
  'input_tokens' | 'cached_tokens' | 'output_tokens' | 'cost' | 'currency'
>;

type Asked = Pick<ModelStep, 'config' | 'usage'>;

export function sumUse(asked: readonly Asked[]): Use {
  return { ...sumTokens(asked), ...sumCosts(asked) };
}

function sumTokens(asked: readonly Asked[]): Omit<Use, 'cost' | 'currency'> {
  const tokens = { input_tokens: 0, cached_tokens: 0, output_tokens: 0 };
  for (const { usage } of asked) {
    tokens.input_tokens += usage?.inputTokens ?? 0;
    tokens.cached_tokens += usage?.cachedTokens ?? 0;
    tokens.output_tokens += usage?.outputTokens ?? 0;
  }
  return tokens;
}

/** Costs in another currency than the last priced request's are ignored, because they cannot be summed. */
function sumCosts(asked: readonly Asked[]): Pick<Use, 'cost' | 'currency'> {
  const costs = asked.flatMap(({ usage, config }) =>
    usage ? (calculateCost(usage, config.prices) ?? []) : [],
  );
  const currency = costs.at(-1)?.currency ?? null;
  const amounts = costs.filter((cost) => cost.currency === currency).map(({ amount }) => amount);
  const cost = currency === null ? null : amounts.reduce((sum, amount) => sum + amount, 0);
  return { cost, currency };
}

type SkillEvent = Pick<SkillFact, 'skill' | 'event'> & Partial<SkillFact>;

function skillFacts({ start, records, steps }: PreparedTurn, snapshot: SkillSnapshot): SkillFact[] {
  const { answer, user } = start;
  const active = records.activations.filter(
    (record) => !record.end || (record.end.inTurnOf === user.id && !start.ended.includes(record)),
  );
  const versions = new Map(
    active.map(({ activation: { name, version } }) => [name, version?.number ?? null]),
  );
  const refused = steps.flatMap((step) => step.refused ?? []);
  const events: SkillEvent[] = [
    ...[...versions].map(([skill, version]): SkillEvent => ({ skill, event: 'active', version })),
    ...answer.activations.map(
      ({ name: skill, via: detail, tokens, version }): SkillEvent => ({
        skill,
        event: 'activated',
        detail,
        tokens,
        version: version?.number ?? null,
      }),
    ),
    ...answer.ended.map(
      ({ name: skill, reason: detail }): SkillEvent => ({ skill, event: 'ended', detail }),
    ),
    ...refused.map(
      ({ name, why, version = null }): SkillEvent => ({
        skill: knownName(name, snapshot),
        event: why === 'limit' ? 'limited' : 'refused',
        version,
      }),
    ),
  ];
  return countEvents(
    events.filter(({ skill }) => !isPersonalSkillId(skill)),
    answer.id,
  );
}

/** Models may request any text, so only names of existing skills are kept. */
function knownName(name: string, { skills }: SkillSnapshot): string {
  return [name, slug(name)].find((id) => skills.has(id)) ?? '';
}

/** Merges repeated events. */
function countEvents(events: readonly SkillEvent[], messageId: string): SkillFact[] {
  const facts = new Map<string, SkillFact>();
  for (const { skill, event, detail = '', tokens = 0, version = null } of events) {
    const key = JSON.stringify([skill, event, detail]);
    const known = facts.get(key);
    if (known) {
      known.times += 1;
      known.tokens += tokens;
      known.version = version ?? known.version;
    } else {
      facts.set(key, { message_id: messageId, skill, event, detail, times: 1, tokens, version });
    }
  }
  return [...facts.values()];
}
