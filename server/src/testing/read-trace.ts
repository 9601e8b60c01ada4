import { type Trace, tracesApi } from '@knowhow/shared/chat/traces';
import { parseAnswer } from './parse-answer.ts';
import type { Visitor } from './start-test-server.ts';
import type { TakenTurn } from './take-turn.ts';

/** The id of a turn's answer. */
export function answerIdOf({ events }: Pick<TakenTurn, 'events'>): string {
  const [begun] = events;
  return begun?.type === 'session.start' ? begun.messageId : '';
}

/** What the model saw for the answer of a turn, as a reader gets it. */
export function readTrace(reader: Visitor, turn: Pick<TakenTurn, 'events'>): Promise<Trace> {
  return parseAnswer(tracesApi.get.response, reader(`/api/messages/${answerIdOf(turn)}/trace`));
}

/** Why a skill was used for the answer of a turn, or was not. */
export function whySkill(reader: Visitor, turn: Pick<TakenTurn, 'events'>, name: string) {
  const path = `/api/messages/${answerIdOf(turn)}/trace/skills/${encodeURIComponent(name)}`;
  return parseAnswer(tracesApi.skill.response, reader(path));
}
