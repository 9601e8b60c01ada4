import type { Instructions } from '@knowhow/shared/access/preferences';
import type { SentAttachment } from '@knowhow/shared/chat/attachments';
import type { chatApi } from '@knowhow/shared/chat/chat';
import { createTitle } from '@knowhow/shared/chat/create-title';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { z } from 'zod';
import { uuidv7 } from '../../platform/lib/uuidv7.ts';
import {
  type ClaimedConversation,
  endedSkill,
  firstMessage,
  type SuggestedSkill,
  type TurnStart,
} from '../conversations/index.ts';
import type { Caller } from '../identity/index.ts';
import type { ListedModel } from './model-list.ts';
import type { StartedSkills } from './start-skills.ts';

export type TurnBody = z.output<typeof chatApi.turn.body>;

interface TurnInput {
  caller: Caller;
  app: AppConfig;
  model: ListedModel;
  conversation: ClaimedConversation | undefined;
  conversationId: string;
  /** ID of the branch if the turn is a comparison answer. */
  line: string | undefined;
  body: TurnBody;
  attachments: readonly SentAttachment[];
  position: number;
  /** ID of the user's message. */
  userId: string;
  started: StartedSkills;
  /** Skills suggested to the model for it. */
  named: readonly SuggestedSkill[];
  /** The user's instructions from here on, if they differ from those before. */
  instructions: Instructions | undefined;
  skillsOff: ReadonlySet<string>;
  ranked: readonly string[] | undefined;
  tools: readonly string[];
}

/** Builds what is stored before the model is asked. */
export function createTurnStart(input: TurnInput): TurnStart {
  const { caller, app, model, conversation, conversationId, line, body, position } = input;
  const { userId, started, named, instructions, skillsOff, ranked, tools, attachments } = input;
  const now = notBefore(conversation?.updatedAt);
  return {
    owner: caller.id,
    ...(line === undefined ? {} : { mainConversationId: conversationId }),
    isNew: conversation === undefined,
    position,
    conversation: {
      id: line ?? conversationId,
      appId: app.id,
      model: model.config.id,
      title: titleAfter(conversation, body.message.trim() || joinNames(attachments), position),
      createdAt: conversation?.createdAt ?? now,
      updatedAt: now,
    },
    user: {
      role: 'user',
      id: userId,
      content: body.message,
      skills: started.picked,
      ...(attachments.length > 0 ? { attachments: [...attachments] } : {}),
      createdAt: now,
    },
    answer: {
      role: 'assistant',
      id: uuidv7(),
      content: '',
      thinking: '',
      model: model.config.id,
      status: 'running',
      activations: started.activated.map(({ activation }) => activation),
      ended: started.ended.flatMap(endedSkill),
      toolCalls: [],
      createdAt: now,
    },
    named,
    instructions,
    activated: started.activated,
    ended: started.ended,
    expired: started.expired,
    reloaded: started.reloaded,
    skillsOff: [...skillsOff],
    ranked,
    tools,
  };
}

function joinNames(attachments: readonly SentAttachment[]): string {
  return attachments.map(({ name }) => name).join(', ');
}

/** The first message gives the conversation its title until the owner renames it. */
function titleAfter(
  conversation: ClaimedConversation | undefined,
  message: string,
  position: number,
): string {
  const first = conversation && firstMessage(conversation.records);
  const named = first !== undefined && conversation?.title !== createTitle(first.content);
  return conversation && (position > 0 || named) ? conversation.title : createTitle(message);
}

/** Current time, but never before the conversation's last timestamp: keeps the order if the clock is set back. */
function notBefore(last: string | undefined): string {
  const now = new Date().toISOString();
  return last !== undefined && last > now ? last : now;
}
