import type { SentAttachment } from '@knowhow/shared/chat/attachments';
import type { Records } from '../../conversations/records.ts';
import type { TurnStore } from '../../conversations/turn-store.ts';
import type { Caller } from '../../identity/caller.ts';
import { checkLength } from '../turn-checks.ts';
import type { TurnBody } from '../turn-start.ts';
import {
  type AttachmentBudget,
  allocateAttachmentBudget,
  checkPictures,
} from './allocate-attachment-budget.ts';

/** Loads the attachments into the records once the token budget of the message is known. */
type Attach = (room: Omit<AttachmentBudget, 'message'>) => Promise<SentAttachment[]>;

interface Message {
  caller: Caller;
  conversationId: string;
  body: TurnBody;
}

/**
 * Finds the files that a message attaches. Throws as `findAttachable`; the returned function throws as `checkLength`
 * and `allocateAttachmentBudget`.
 */
export async function findFiles(
  { caller, conversationId, body }: Message,
  records: Records,
  conversations: TurnStore,
): Promise<Attach> {
  const { message, replaces, attachments: ids = [] } = body;
  const where = { owner: caller.id, conversationId, replaces };
  const found = await conversations.findAttachable(ids, where);
  records.hasTexts ||= found.some(({ kind }) => kind === 'text');
  return async (room) => {
    if (room.model.config.contextWindow !== undefined) {
      checkLength(message, room.tokenBudget);
    }
    const attachments = allocateAttachmentBudget(found, { ...room, message });
    const attached = await conversations.loadAttached(attachments);
    records.attached = new Map([...records.attached, ...attached]);
    checkPictures([...records.attached.values()]);
    return attachments;
  };
}
