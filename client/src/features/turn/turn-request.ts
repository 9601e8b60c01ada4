import type { Attachment } from '@knowhow/shared/chat/attachments';

/** A message to send to the model. */
export interface TurnRequest {
  appId: string;
  conversationId: string;
  message: string;
  /** Names of skills to activate with this message. */
  skills: string[];
  /** Names of the skills that are switched off in the conversation; unchanged if omitted. */
  skillsOff?: string[] | undefined;
  /** Uploaded files of the message. */
  attachments?: Attachment[] | undefined;
  model: string;
  /** The user message that this one replaces. */
  replaces?: string;
  /** The last message on screen: sending fails if there are newer ones (optimistic concurrency). */
  after?: string;
}
