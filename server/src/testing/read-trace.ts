import { type Trace, tracesApi } from '@knowhow/shared/chat/traces';
import { parseAnswer } from './parse-answer.ts';
import type { Visitor } from './start-test-server.ts';
import type { TakenTurn } from './take-turn.ts';

/** The ID of a turn's answer. */
export function getAnswerId({ events }: Pick<TakenTurn, 'events'>): string {
  const [begun] = events;
  return begun?.type === 'session.start' ? begun.messageId : '';
}

/** The trace of a turn's answer. */
export function readTrace(reader: Visitor, turn: Pick<TakenTurn, 'events'>): Promise<Trace> {
  return parseAnswer(tracesApi.get.response, reader(`/api/messages/${getAnswerId(turn)}/trace`));
}

/** Why a skill was used for a turn's answer, or not. */
export function whySkill(reader: Visitor, turn: Pick<TakenTurn, 'events'>, name: string) {
  const path = `/api/messages/${getAnswerId(turn)}/trace/skills/${encodeURIComponent(name)}`;
  return parseAnswer(tracesApi.skill.response, reader(path));
}
