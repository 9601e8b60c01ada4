import type { Attachment, SentAttachment } from '@knowhow/shared/chat/attachments';
import { problem } from '@knowhow/shared/problem';
import type { AttachedContent } from '../../conversations/attached-files.ts';
import { countTokens } from '../../lib/count-tokens.ts';
import { perImage } from '../message-tokens.ts';
import type { ListedModel } from '../model-list.ts';

export interface Room {
  message: string;
  /** Tokens that the message may have with all that it comes with. */
  room: number;
  model: ListedModel;
  /** A model that does can read on by itself: long texts need not go with the message. */
  usesTools: boolean;
}

/** Tokens of texts that go with a message where a model can read on. */
const mostWhole = 20_000;
/** Tokens that a text has at least of which only the beginning goes with it. */
const leastBeginning = 500;
const mostBeginning = 2000;

/**
 * How much of each text goes with the message: all, as long as there is room, the short ones first; of the others the
 * beginning. Throws `too-large` where there is no room for that either.
 */
export function shareRoom(
  attachments: readonly Attachment[],
  { message, room, model, usesTools }: Room,
): SentAttachment[] {
  if (attachments.length === 0) {
    return [];
  }
  const sees = model.config.supportsVision === true;
  const pictures = attachments.filter(({ kind }) => kind === 'picture').length;
  let left = room - countTokens(message) - (sees ? pictures * perImage : 0);
  if (left < 0) {
    throw tooLarge();
  }
  left = usesTools ? Math.min(left, mostWhole) : left;
  const texts = attachments.filter(({ kind }) => kind === 'text');
  const shown = new Map<string, number>();
  for (const [index, file] of [...texts]
    .sort((one, other) => one.tokens - other.tokens)
    .entries()) {
    const isWhole = file.tokens <= left;
    const share = left / (texts.length - index);
    const most = usesTools ? Math.min(mostBeginning, share) : share;
    if (!isWhole && most < leastBeginning) {
      throw tooLarge();
    }
    shown.set(file.id, isWhole ? file.length : beginningOf(file, most));
    left -= isWhole ? file.tokens : most;
  }
  return attachments.map((file) => ({ ...file, shown: shown.get(file.id) ?? 0 }));
}

function beginningOf({ length, tokens }: Attachment, most: number): number {
  return Math.min(length, Math.floor((length * most) / tokens));
}

function tooLarge() {
  return problem(
    'too-large',
    'There is no room for all these files beside your message. Send fewer of them, or choose a model with a larger window.',
  );
}

/** Of the pictures that a conversation is sent with, in characters of base64. */
const mostPictures = 24_000_000;

/** Throws when a conversation has more pictures than one request may have. */
export function checkPictures(attached: readonly AttachedContent[]): void {
  const size = attached.reduce((sum, { image }) => sum + (image?.data.length ?? 0), 0);
  if (size > mostPictures) {
    throw problem(
      'too-large',
      'This conversation has too many pictures for another one. Send fewer, or begin a new conversation.',
    );
  }
}
