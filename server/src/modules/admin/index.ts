/** The public interface of `admin`: other modules import only this. */
export { deleteUser, type UserDeletion } from './delete-user.ts';
export { listProviderKeys } from './settings/list-provider-keys.ts';
export { grantAccess, listGrantableGroups } from './skills/grant-access.ts';
export { findSkillNameIssue } from './skills/new-skill-name.ts';
export {
  diagnosticsOn,
  namedTwice,
  type PreparedSkill,
  prepareSkill,
} from './skills/prepare-skill.ts';
export { setReviewDate } from './skills/set-review-date.ts';
export { visibilityRule } from './skills/skill-access.ts';
export type { SkillAdmin } from './skills/skill-admin.ts';
export { type AttentionAdmin, findAttention, type SkillHealth } from './skills/skill-attention.ts';
export { purgeExpired } from './skills/skill-bin.ts';
export { mainFile } from './skills/skill-edits.ts';
export { findEntry, getSkillStatus, skillEntries } from './skills/skill-entries.ts';
export { skillReach } from './skills/skill-reach.ts';
export { filterReviews, readReviewCategories } from './skills/skill-scope.ts';
export { createUploadCache } from './skills/upload-cache.ts';
export {
  checkSource,
  knownTrees,
  type ReadSource,
  readCommit,
  recordFailure,
} from './sources/check-source.ts';
export type { Proposed } from './sources/propose-changes.ts';
export { createSkillUpstreams, type SkillUpstreams } from './sources/skill-upstreams.ts';
export { openSourceFaults, type SourceFaults } from './sources/source-faults.ts';
export { createSourceSync, type SourceSync } from './sources/sync-sources.ts';
export { createSourceHooks, type SourceHooks, syncDueSources } from './sources/sync-unattended.ts';
export { runTriggers, summarizeTriggers } from './triggers/run-triggers.ts';
export { createTriggerRounds } from './triggers/schedule/trigger-rounds.ts';
export {
  openTriggerSchedule,
  type TriggerScheduler,
} from './triggers/schedule/trigger-schedule.ts';
export type { TriggerBench } from './triggers/trigger-bench.ts';
export { readTriggerPrompts } from './triggers/trigger-prompts.ts';
export { createTriggerRuns } from './triggers/trigger-runs.ts';
export { openTrial, type TrialTools } from './triggers/trigger-trial.ts';
