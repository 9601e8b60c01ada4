/** The public interface of `conversations`: other modules import only this. */
export {
  type AnswerLocation,
  AnswerTakenOver,
  answerGone,
  getAnswerLocation,
} from './answering/lock-running-answer.ts';
export type { AttachedContent } from './attached-files.ts';
export type { StartedTurn, TurnStart } from './begin-turn.ts';
export { findRootConversation } from './comparison/comparison-store.ts';
export { toMessage } from './conversation-rows.ts';
export { type ConversationStore, createConversationStore } from './conversation-store.ts';
export { createDryRunStore } from './dry-run-store.ts';
export { temporaryLimits } from './file-limits.ts';
export {
  type AttachedText,
  type ConversationFiles,
  createFiles,
  type NewUpload,
  type TextMark,
} from './files.ts';
export { findOwner } from './find-owner.ts';
export { createFolders, type Folders } from './folders.ts';
export { markInterrupted } from './mark-interrupted.ts';
export { maxBranchesPerMessage } from './prune-branches.ts';
export { recentSkills } from './recent-skills.ts';
export type { StoredCalls } from './record-rows.ts';
export {
  type ActivationRecord,
  type AnswerRecord,
  addActivation,
  addCompaction,
  answerRecord,
  type Compaction,
  emptyRecords,
  endedSkill,
  firstMessage,
  getActiveSkills,
  type Point,
  type Records,
  recordsBefore,
  type SuggestedSkill,
  type ToolRecord,
} from './records.ts';
export { filesWithTemporary, routeByStorage } from './route-by-storage.ts';
export { createShares } from './sharing/shares.ts';
export {
  findUnreportedExpirations,
  getExpiryLimits,
  isExpired,
  scheduleSkillExpiry,
} from './skill-expiry.ts';
export { type TemporaryBounds, temporaryBounds, temporaryBytes } from './temporary-bounds.ts';
export type { ClaimedConversation, TurnStore } from './turn-store.ts';
export { scheduleUnsent } from './unsent-files.ts';
export { withInterrupted } from './with-interrupted.ts';
