import type { Attachment, SentAttachment } from '@knowhow/shared/chat/attachments';
import type { AssistantMessage, ConversationSummary } from '@knowhow/shared/chat/conversations';
import type { AnswerLocation } from './answering/lock-running-answer.ts';
import type { AttachableIn, AttachedContent } from './attached-files.ts';
import type { StartedTurn, TurnStart } from './begin-turn.ts';
import type { StoredCalls } from './record-rows.ts';
import type { ActivationRecord, AnswerRecord, Compaction, Records } from './records.ts';

/** A conversation as a turn continues it. */
export interface ClaimedConversation extends ConversationSummary {
  records: Records;
  /** ID of the open comparison branch of its last answer, if any. */
  comparisonBranch: string | undefined;
  skillsOff: readonly string[];
  /** IDs of the top-ranked skills in its catalogue; undefined until not all fit. */
  ranked: readonly string[] | undefined;
  /** IDs of the tools it was offered, if not all fit. */
  tools: readonly string[];
}

/**
 * The storage that a turn needs. Conversations of other users are not found. `saveAnswer` and all methods that take
 * an `AnswerLocation` throw as `lockRunningAnswer` and then store nothing.
 */
export interface TurnStore {
  /**
   * Loads the owner's conversation for a turn; a new one may be created under an ID that is `free`.
   *
   * @param replaces ID of the message that the turn replaces
   */
  claim(
    owner: string,
    id: string,
    replaces?: string,
  ): Promise<ClaimedConversation | 'free' | 'taken'>;
  /** Names of its active skills; undefined if the conversation is gone. */
  activeNames(owner: string, id: string): Promise<ReadonlySet<string> | undefined>;
  /**
   * Finds uploaded files by ID, with their final names. Throws `not-found` for files that cannot be attached to a new
   * message.
   */
  findAttachable(ids: readonly string[], where: AttachableIn): Promise<Attachment[]>;
  /** Content of the files for models, by ID. */
  loadAttached(attachments: readonly SentAttachment[]): Promise<Map<string, AttachedContent>>;
  /** Stores a turn's start in one transaction, before the model is asked. */
  beginTurn(turn: TurnStart): Promise<StartedTurn>;
  /**
   * Stores the answer so far or, with a status other than `running`, its end. Also stores its new tool results.
   * Returns what is stored afterwards.
   */
  saveAnswer(
    conversationId: string,
    answer: AssistantMessage,
    made: { calls: AnswerRecord; stored: StoredCalls },
  ): Promise<StoredCalls>;
  /** Stores an activation and the end of the one it replaces. */
  addActivation(
    at: AnswerLocation,
    added: ActivationRecord,
    replaced: ActivationRecord | undefined,
  ): Promise<void>;
  /** Stores an activation's end. */
  endActivation(at: AnswerLocation, record: ActivationRecord): Promise<void>;
  /** Stores which tools the conversation was offered, if not all fit. */
  saveOfferedTools(at: AnswerLocation, tools: readonly string[]): Promise<void>;
  /** Stores which content models no longer receive. */
  addCompaction(at: AnswerLocation, compaction: Compaction): Promise<void>;
}
