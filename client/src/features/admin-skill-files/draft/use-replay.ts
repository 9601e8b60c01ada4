import {
  type ReplayEvent,
  type ReplaySide,
  skillDraftsApi,
} from '@knowhow/shared/skills/skill-drafts';
import { useEffect, useRef, useState } from 'react';
import { stream } from '../../../api/stream.ts';

/** An answer of one side, as far as it has arrived. */
export interface ReplayedAnswer {
  side: ReplaySide;
  text: string;
  end: Extract<ReplayEvent, { type: 'end' | 'error' }> | undefined;
}

/** Answers a message with the published version and with the draft of a skill, until the component is closed. */
export function useReplay(skill: string) {
  const [answers, setAnswers] = useState<readonly ReplayedAnswer[]>();
  const [isRunning, setIsRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  async function begin(message: string, model: string) {
    const own = new AbortController();
    abort.current = own;
    setError(undefined);
    setAnswers(undefined);
    setIsRunning(true);
    try {
      const input = { params: { skill }, body: { message, model } };
      for await (const { event } of stream(skillDraftsApi.replay, input, { signal: own.signal })) {
        setAnswers((known = []) => applyEvent(known, event));
      }
    } catch (failure) {
      if (!own.signal.aborted) {
        setError(failure);
      }
    } finally {
      setIsRunning(false);
    }
  }

  return { answers, isRunning, error, begin, stop: () => abort.current?.abort() };
}

function applyEvent(
  answers: readonly ReplayedAnswer[],
  event: ReplayEvent,
): readonly ReplayedAnswer[] {
  if (event.type === 'start') {
    return event.sides.map((side) => ({ side, text: '', end: undefined }));
  }
  return answers.map((answer) => (answer.side === event.side ? extend(answer, event) : answer));
}

function extend(
  answer: ReplayedAnswer,
  event: Exclude<ReplayEvent, { type: 'start' }>,
): ReplayedAnswer {
  switch (event.type) {
    case 'text':
      return { ...answer, text: answer.text + event.text };
    case 'retract':
      return { ...answer, text: answer.text.slice(0, answer.text.length - event.characters) };
    default:
      return { ...answer, end: event };
  }
}
