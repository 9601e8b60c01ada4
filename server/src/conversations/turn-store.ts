import type { Attachment, SentAttachment } from '@knowhow/shared/chat/attachments';
import type { AssistantMessage, ConversationSummary } from '@knowhow/shared/chat/conversations';
import type { AnswerPlace } from './answering/hold-answer.ts';
import type { AttachableIn, AttachedContent } from './attached-files.ts';
import type { BegunTurn, TurnStart } from './begin-turn.ts';
import type { StoredCalls } from './record-rows.ts';
import type { ActivationRecord, AnswerRecord, Compaction, Records } from './records.ts';

/** What a turn goes on from. */
export interface ClaimedConversation extends ConversationSummary {
  records: Records;
  skillsOff: readonly string[];
  /** Ids of the skills that come first in its catalogue; undefined until not all have found room. */
  ranked: readonly string[] | undefined;
  /** Ids of the tools it has been offered, where not all found room. */
  tools: readonly string[];
}

/**
 * The part of the conversations that a turn needs. Those of other users are not found. `saveAnswer` and what takes an
 * `AnswerPlace` throw as `holdAnswer` does, and store nothing then.
 */
export interface TurnStore {
  /**
   * A conversation of the owner's, with what a turn needs of it; a new one may be begun under an id that is
   * free.
   *
   * @param replaces id of the message that the turn replaces
   */
  claim(
    owner: string,
    id: string,
    replaces?: string,
  ): Promise<ClaimedConversation | 'free' | 'taken'>;
  /** Names of the skills that are active in it; undefined when it is gone. */
  activeNames(owner: string, id: string): Promise<ReadonlySet<string> | undefined>;
  /**
   * The uploaded files of these ids, under the names that they will have. Throws `not-found` for what cannot go
   * with a new message.
   */
  findAttachable(ids: readonly string[], where: AttachableIn): Promise<Attachment[]>;
  /** What models get of them, by their ids. */
  loadAttached(attachments: readonly SentAttachment[]): Promise<Map<string, AttachedContent>>;
  /** Stores all a turn begins with, at once: before the model is called. */
  beginTurn(turn: TurnStart): Promise<BegunTurn>;
  /**
   * Stores the answer so far, or, with a status other than `running`, its end; and what its calls gave
   * beyond what is stored. Answers what is stored then.
   */
  saveAnswer(
    conversationId: string,
    answer: AssistantMessage,
    made: { calls: AnswerRecord; stored: StoredCalls },
  ): Promise<StoredCalls>;
  /** Stores a skill that has become active, and the end of what it replaces. */
  addActivation(
    at: AnswerPlace,
    added: ActivationRecord,
    replaced: ActivationRecord | undefined,
  ): Promise<void>;
  /** Stores its end. */
  endActivation(at: AnswerPlace, record: ActivationRecord): Promise<void>;
  /** Stores which tools the conversation has been offered, where not all find room. */
  keepTools(at: AnswerPlace, tools: readonly string[]): Promise<void>;
  /** Stores what models no longer get of a conversation. */
  addCompaction(at: AnswerPlace, compaction: Compaction): Promise<void>;
}
