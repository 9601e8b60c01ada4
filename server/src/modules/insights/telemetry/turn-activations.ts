import type { Activation } from '@knowhow/shared/chat/chat';
import { isPersonalSkillId } from '@knowhow/shared/skills/skill-id';
import type { EndedTurn, ToolStep } from '../../chat/index.ts';

/** A skill activation in a turn, or an attempt. */
export interface ActivationAttempt {
  /** The tool call that requested it; undefined if it was activated before the model was asked. */
  step: ToolStep | undefined;
  via: Activation['via'];
  outcome: 'activated' | 'already-active' | 'refused';
  /** Undefined if denied: the request may contain any text, or the name of a restricted skill. */
  name: string | undefined;
  tokens: number | undefined;
  /** Milliseconds since 1970. */
  at: number;
}

const tool = 'activate_skill';

export function findActivations({
  turn: { start, records, steps },
}: EndedTurn): ActivationAttempt[] {
  const own = records.activations.filter(({ messageId }) => messageId === start.user.id);
  const calls = steps.filter((step): step is ToolStep => step.type === 'tool');
  const activated = own.map(({ activation: { name, via, tokens }, call, at }) => ({
    step: call === undefined ? undefined : calls.find(({ number }) => number === call),
    via,
    outcome: 'activated' as const,
    name,
    tokens,
    at: Date.parse(at),
  }));
  const results = records.answers.get(start.answer.id)?.results ?? [];
  const others = calls
    .filter(({ name, number }) => name === tool && !own.some(({ call }) => call === number))
    .map((step) => ({
      step,
      via: 'model' as const,
      outcome: step.isError ? ('refused' as const) : ('already-active' as const),
      name: step.isError ? undefined : results[step.number]?.skills[0],
      tokens: undefined,
      at: step.at,
    }));
  return [...activated, ...others].map(withoutPersonalName);
}

/** Names of personal skills are for their owners only. */
function withoutPersonalName(attempt: ActivationAttempt): ActivationAttempt {
  const { name } = attempt;
  return name !== undefined && isPersonalSkillId(name) ? { ...attempt, name: undefined } : attempt;
}
