import type { Activation } from '@knowhow/shared/chat/chat';
import type { AssistantMessage, ToolCall } from '@knowhow/shared/chat/conversations';
import { plainName } from '@knowhow/shared/names';
import { describeToolCall, type NumberedCall, shownToolCalls } from '../describe-tool-call.ts';

/** The parts of an answer: text, tool calls, and activations by calls. */
export type AnswerPart =
  | { type: 'text'; key: string; text: string; isLast: boolean }
  | { type: 'call'; key: string; numbered: NumberedCall }
  | { type: 'skill'; key: string; activation: Activation };

/** The parts of an answer in chronological order; calls without a position come first. */
export function answerParts({
  content,
  rounds = [],
  toolCalls,
  activations,
}: Pick<AssistantMessage, 'content' | 'rounds' | 'toolCalls' | 'activations'>): AnswerPart[] {
  const shown = new Map(
    shownToolCalls(toolCalls, activations).map((numbered) => [numbered.number, numbered]),
  );
  const skills = activatingCalls(toolCalls, activations);
  const parts: AnswerPart[] = [];
  let at = 0;
  let call = 0;
  const addText = (end: number, isLast = false) => {
    const text = content.slice(at, end);
    if (text.trim() !== '') {
      parts.push({ type: 'text', key: `text ${at}`, text, isLast });
    }
    at = end;
  };
  const addCalls = (end: number) => {
    for (; call < end; call += 1) {
      const activation = skills.get(call);
      const numbered = shown.get(call);
      if (activation) {
        parts.push({ type: 'skill', key: `skill ${call}`, activation });
      }
      if (numbered) {
        parts.push({ type: 'call', key: `call ${call}`, numbered });
      }
    }
  };
  for (const { end, calls } of rounds) {
    addText(end);
    addCalls(call + calls);
  }
  addCalls(toolCalls.length);
  addText(content.length, true);
  return parts;
}

/** Activations that no call of the answer made: by its user, the app, or the router. */
export function otherActivations({
  toolCalls,
  activations,
}: Pick<AssistantMessage, 'toolCalls' | 'activations'>): Activation[] {
  const made = new Set(activatingCalls(toolCalls, activations).values());
  return activations.filter((activation) => !made.has(activation));
}

/** By the number of the call that made it. */
function activatingCalls(
  toolCalls: readonly ToolCall[],
  activations: readonly Activation[],
): Map<number, Activation> {
  const found = activations.flatMap((activation): [number, Activation][] => {
    const number = toolCalls.findLastIndex((call) => {
      const described = describeToolCall(call);
      return (
        described.kind === 'activate' &&
        !call.error &&
        plainName(described.skill) === plainName(activation.name)
      );
    });
    return activation.via === 'model' && number >= 0 ? [[number, activation]] : [];
  });
  return new Map(found);
}
