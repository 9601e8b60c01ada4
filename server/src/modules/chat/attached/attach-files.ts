import type { Attachment, SentAttachment } from '@knowhow/shared/chat/attachments';
import { countTokens } from '@knowhow/shared/count-tokens';
import { problem } from '@knowhow/shared/problem';
import type { AttachedContent, Records, TurnStore } from '../../conversations/index.ts';
import type { Caller } from '../../identity/index.ts';
import { perImage } from '../message-tokens.ts';
import type { ListedModel } from '../model-list.ts';
import { checkLength } from '../turn-checks.ts';
import type { TurnBody } from '../turn-start.ts';

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

interface AttachmentBudget {
  message: string;
  /** Token budget of the message with all its attachments. */
  tokenBudget: number;
  model: ListedModel;
  /** Whether the model can read files with a tool; if so, long texts are truncated in the message. */
  usesTools: boolean;
}

/** Token budget of attached texts when the model can read on with a tool. */
const maxInlineTokens = 20_000;

/** Minimum tokens of a truncated text. */
const minExcerptTokens = 500;

const maxExcerptTokens = 2000;

/**
 * Allocates the message's token budget to its attached texts. Short texts are included whole first; longer ones are
 * truncated. Throws `too-large` if not even the excerpts fit.
 */
function allocateAttachmentBudget(
  attachments: readonly Attachment[],
  { message, tokenBudget, model, usesTools }: AttachmentBudget,
): SentAttachment[] {
  if (attachments.length === 0) {
    return [];
  }
  const sees = model.config.supportsVision;
  const pictures = attachments.filter(({ kind }) => kind === 'picture').length;
  let remaining = tokenBudget - countTokens(message) - (sees ? pictures * perImage : 0);
  if (remaining < 0) {
    throw tooLarge();
  }
  remaining = usesTools ? Math.min(remaining, maxInlineTokens) : remaining;
  const texts = attachments.filter(({ kind }) => kind === 'text');
  const shown = new Map<string, number>();
  for (const [index, file] of [...texts]
    .sort((one, other) => one.tokens - other.tokens)
    .entries()) {
    const isWhole = file.tokens <= remaining;
    const share = remaining / (texts.length - index);
    const budget = usesTools ? Math.min(maxExcerptTokens, share) : share;
    if (!isWhole && budget < minExcerptTokens) {
      throw tooLarge();
    }
    shown.set(file.id, isWhole ? file.length : excerptLength(file, budget));
    remaining -= isWhole ? file.tokens : budget;
  }
  return attachments.map((file) => ({ ...file, shown: shown.get(file.id) ?? 0 }));
}

function excerptLength({ length, tokens }: Attachment, budget: number): number {
  return Math.min(length, Math.floor((length * budget) / tokens));
}

function tooLarge() {
  return problem(
    'too-large',
    'These files do not all fit the context window together with your message. Send fewer of them, or choose a model with a larger context window.',
  );
}

/** Maximum size of all images in a conversation, in base64 characters. */
const maxImageCharacters = 24_000_000;

/** Throws `too-large` if a conversation has more images than one request may carry. */
function checkPictures(attached: readonly AttachedContent[]): void {
  const size = attached.reduce((sum, { image }) => sum + (image?.data.length ?? 0), 0);
  if (size > maxImageCharacters) {
    throw problem(
      'too-large',
      'This conversation has too many images. Send fewer, or start a new conversation.',
    );
  }
}
