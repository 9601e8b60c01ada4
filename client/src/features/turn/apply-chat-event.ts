import { getAnswerChanges } from '@knowhow/shared/chat/answer-changes';
import {
  type ChatEvent,
  type NoticeCode,
  type WorkCode,
  workCodes,
} from '@knowhow/shared/chat/chat';
import type { Conversation } from '@knowhow/shared/chat/conversations';
import { emptyAnswer } from './empty-answer.ts';
import { updateAnswer } from './update-answer.ts';

type EventOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>;

/** Applies an event of the running turn to its conversation (reducer). */
export function applyChatEvent(conversation: Conversation, event: ChatEvent): Conversation {
  switch (event.type) {
    case 'session.start':
      return startSession(conversation, event);
    case 'skill.activation':
      return applyToAnswer(activate(conversation, event), event);
    case 'skill.ended':
      return applyToAnswer(endSkill(conversation, event), event);
    case 'skill.outdated':
      return markOutdated(conversation, event);
    default:
      return applyToAnswer(conversation, event);
  }
}

/** Progress is shown until the next event. */
function applyToAnswer(conversation: Conversation, event: ChatEvent): Conversation {
  const doing = event.type === 'notice' && isWorkCode(event.code) ? event.code : undefined;
  return updateAnswer(conversation, (answer) => ({
    ...answer,
    ...getAnswerChanges(answer, event),
    doing,
  }));
}

function isWorkCode(code: NoticeCode | WorkCode): code is WorkCode {
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
  const others = conversation.activeSkills.filter(({ name }) => name !== activation.name);
  return { ...conversation, activeSkills: [...others, activation] };
}

function endSkill(conversation: Conversation, { name }: EventOf<'skill.ended'>): Conversation {
  const activeSkills = conversation.activeSkills.filter((skill) => skill.name !== name);
  return { ...conversation, activeSkills };
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
