import {
  type Activation,
  type ChatEvent,
  type NoticeCode,
  type WorkCode,
  workCodes,
} from '@knowhow/shared/chat/chat';
import {
  type AssistantMessage,
  type Conversation,
  statusForFinishReason,
} from '@knowhow/shared/chat/conversations';
import { applyToolEvent, endCalls } from './apply-tool-event.ts';
import { emptyAnswer } from './empty-answer.ts';
import { updateAnswer } from './update-answer.ts';

type EventOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>;

/** Applies an event of the running turn to its conversation (reducer). */
export function applyChatEvent(conversation: Conversation, event: ChatEvent): Conversation {
  const change = (fields: (answer: AssistantMessage) => Partial<AssistantMessage>) =>
    updateAnswer(conversation, (answer) => ({ ...answer, doing: undefined, ...fields(answer) }));

  switch (event.type) {
    case 'session.start':
      return startSession(conversation, event);
    case 'chunk':
      return change((answer) => ({ content: answer.content + event.content }));
    case 'thinking':
      return change((answer) => ({ thinking: answer.thinking + event.content }));
    case 'chunk.was-thinking':
      return change(({ content, thinking }) => {
        const end = Math.max(0, content.length - event.characters);
        return { content: content.slice(0, end), thinking: thinking + content.slice(end) };
      });
    case 'skill.activation':
      return activate(conversation, event);
    case 'skill.ended':
      return endSkill(conversation, event);
    case 'skill.outdated':
      return markOutdated(conversation, event);
    case 'tool.call.start':
      return change(({ content, rounds, toolCalls }) => ({
        toolCalls: applyToolEvent(toolCalls, event),
        rounds: addCall(rounds, content.length),
      }));
    case 'tool.progress':
    case 'tool.consent':
    case 'tool.question':
    case 'tool.answered':
    case 'tool.call.end':
      return change(({ toolCalls }) => ({ toolCalls: applyToolEvent(toolCalls, event) }));
    case 'notice':
      return change(({ notices = [] }) => addNotice(notices, event.code));
    case 'usage':
      return change(() => ({
        usage: { inputTokens: event.inputTokens, outputTokens: event.outputTokens },
      }));
    case 'done':
      return change(({ toolCalls }) => ({
        toolCalls: endCalls(toolCalls),
        status: statusForFinishReason(event.finishReason),
        finishReason: event.finishReason,
      }));
    case 'error': {
      const { type: _, ...error } = event;
      return change(({ toolCalls }) => ({
        toolCalls: endCalls(toolCalls),
        status: 'failed',
        error,
      }));
    }
  }
}

/** Calls at the same text position belong to the same round. */
function addCall(rounds: AssistantMessage['rounds'] = [], end: number) {
  const last = rounds.at(-1);
  return last?.end === end
    ? [...rounds.slice(0, -1), { end, calls: last.calls + 1 }]
    : [...rounds, { end, calls: 1 }];
}

function addNotice(notices: readonly NoticeCode[], code: NoticeCode | WorkCode) {
  return isProgressCode(code) ? { doing: code } : { notices: [...new Set([...notices, code])] };
}

function isProgressCode(code: NoticeCode | WorkCode): code is WorkCode {
  return (workCodes as readonly string[]).includes(code);
}

/** The answer restarts: following it from the beginning replaces what is known. */
function startSession(
  conversation: Conversation,
  { messageId, userMessageId, model, activeSkills }: EventOf<'session.start'>,
): Conversation {
  const [question, answer] = conversation.messages.slice(-2);
  if (question?.role !== 'user' || answer?.role !== 'assistant') {
    return conversation;
  }
  return {
    ...conversation,
    model,
    activeSkills: conversation.activeSkills
      .filter((skill) => activeSkills.includes(skill.name))
      .map((skill) => (skill.isOutdated ? { ...skill, isOutdated: false } : skill)),
    messages: [
      ...conversation.messages.slice(0, -2),
      { ...question, id: userMessageId },
      { ...emptyAnswer(messageId, model), createdAt: answer.createdAt },
    ],
  };
}

function activate(
  conversation: Conversation,
  { type: _, ...activation }: EventOf<'skill.activation'>,
): Conversation {
  const { activeSkills } = conversation;
  return updateAnswer(
    { ...conversation, activeSkills: addActivation(activeSkills, activation) },
    (answer) => ({
      ...answer,
      doing: undefined,
      activations: addActivation(answer.activations, activation),
    }),
  );
}

function endSkill(
  conversation: Conversation,
  { name, reason }: EventOf<'skill.ended'>,
): Conversation {
  const activeSkills = conversation.activeSkills.filter((skill) => skill.name !== name);
  return updateAnswer({ ...conversation, activeSkills }, (answer) => ({
    ...answer,
    ended: [...answer.ended, { name, reason }],
  }));
}

function markOutdated(
  conversation: Conversation,
  { name, isOutdated }: EventOf<'skill.outdated'>,
): Conversation {
  const activeSkills = conversation.activeSkills.map((skill) =>
    skill.name === name ? { ...skill, isOutdated } : skill,
  );
  return { ...conversation, activeSkills };
}

function addActivation(activations: Activation[], added: Activation): Activation[] {
  return [...activations.filter((known) => known.name !== added.name), added];
}
