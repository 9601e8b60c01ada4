import type { Activation } from '@knowhow/shared/chat/chat';
import type { Conversation, Message } from '@knowhow/shared/chat/conversations';
import { createTitle } from '@knowhow/shared/chat/create-title';
import { emptyAnswer } from './empty-answer.ts';
import type { TurnRequest } from './turn-request.ts';

interface Beginning {
  /** The current conversation; undefined for the first message. */
  conversation: Conversation | undefined;
  request: TurnRequest;
  /** Creates temporary IDs until the server assigns its own. */
  newId: () => string;
  now: Date;
}

/** The optimistic conversation when a message is sent. */
export function beginTurn({ conversation, request, newId, now }: Beginning): Conversation {
  const createdAt = now.toISOString();
  const kept = messagesBefore(conversation?.messages ?? [], request.replaces);
  return {
    ...conversation,
    id: request.conversationId,
    title:
      conversation?.title ?? createTitle(request.message.trim() || joinAttachmentNames(request)),
    appId: request.appId,
    createdAt: conversation?.createdAt ?? createdAt,
    updatedAt: createdAt,
    model: request.model,
    activeSkills: clearOutdatedFlags(conversation?.activeSkills ?? [], request.skills),
    skillsOff: updateSkillsOff(request, conversation),
    comparison: undefined,
    messages: [
      ...kept,
      {
        role: 'user',
        id: newId(),
        content: request.message,
        skills: request.skills,
        ...getAttachments(request),
        createdAt,
      },
      { ...emptyAnswer(newId(), request.model), createdAt },
    ],
  };
}

function joinAttachmentNames({ attachments = [] }: TurnRequest): string {
  return attachments.map(({ name }) => name).join(', ');
}

function getAttachments({ attachments = [] }: TurnRequest) {
  return attachments.length === 0
    ? {}
    : { attachments: attachments.map((file) => ({ ...file, shown: file.length })) };
}

/** A skill that is requested again is no longer outdated. */
function clearOutdatedFlags(activeSkills: Activation[], picked: string[]): Activation[] {
  return activeSkills.map((skill) =>
    picked.includes(skill.name) ? { ...skill, isOutdated: false } : skill,
  );
}

/** Picking a skill switches it on again. */
function updateSkillsOff(
  { skills, skillsOff }: TurnRequest,
  conversation: Conversation | undefined,
): string[] {
  const off = skillsOff ?? conversation?.skillsOff ?? [];
  return off.filter((name) => !skills.includes(name));
}

function messagesBefore(messages: Message[], replaced: string | undefined): Message[] {
  const cut = messages.findIndex((message) => message.id === replaced);
  return cut === -1 ? messages : messages.slice(0, cut);
}
