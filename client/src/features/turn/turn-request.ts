import type { Attachment } from '@knowhow/shared/chat/attachments';

/** One message on its way to the model. */
export interface TurnRequest {
  appId: string;
  conversationId: string;
  message: string;
  /** Names of skills to activate with this message. */
  skills: string[];
  /** Names of the skills that the conversation shall do without; as it was when left out. */
  skillsOff?: string[] | undefined;
  /** Uploaded files that go with it. */
  attachments?: Attachment[] | undefined;
  model: string;
  /** The user's message that this one takes the place of. */
  replaces?: string;
  /** The last message that is shown: nothing is sent when there are newer ones. */
  after?: string;
}
