/** The public interface of `skills`: other modules import only this. */

export {
  compareFiles,
  createFileComparer,
  createMessage,
  createTextMerger,
  type Described,
  type DiagnosticCode,
  type DiagnosticKind,
  diagnose,
  diagnoseImports,
  diagnosePacked,
  diagnoseReferences,
  diagnosticKinds,
  editFields,
  type FieldTexts,
  findChangedFiles,
  findCollision,
  findNameIssue,
  findPathIssue,
  findPrivateWords,
  findResource,
  fixSkill,
  inspectFiles,
  isFixable,
  isOfFileName,
  isSkillFile,
  judgeNewSkill,
  judgeStrictly,
  locateResource,
  maxSkillFileBytes,
  nearestFiles,
  type PackedFile,
  parseSkill,
  passesReference,
  pathCollision,
  readSkillDocument,
  renameSkill,
  reveal,
  rewriteSkillFile,
  type Skill,
  tagFaults,
  withoutOwnName,
  writeSkillFile,
} from '@knowhow/skill-format';
export {
  type ActivationResult,
  type ActiveSkill,
  type ActiveSkills,
  activateSkill,
  reloadSkill,
} from './activate-skill.ts';
export { collectIssues, createRejection, type IssueCollector } from './archives/collect-issues.ts';
export { packParts, readParts, TooManyBytes } from './archives/office-parts.ts';
export { type OpenZip, openZipFile, type ZipMember } from './archives/open-zip-file.ts';
export { portableSkill } from './archives/portable-skill.ts';
export { readArchive } from './archives/read-archive.ts';
export { type StreamedEntry, streamZip, type ZipStream } from './archives/stream-zip.ts';
export type { ArchiveIssue, ReportIssue } from './archives/unpack-faults.ts';
export {
  defaultSizeLimits,
  documentLimits,
  inMebibytes,
  keptLimits,
  maxSizeLimits,
  minCompressedBytes,
  type SizeLimits,
} from './archives/unpack-limits.ts';
export { type UnpackedFile, unpackMembers } from './archives/unpack-members.ts';
export { findEntryNameIssue, reportCollisions } from './archives/unpack-names.ts';
export { isClutter } from './archives/unpack-roots.ts';
export { type OtherFiles, wantedFiles } from './archives/wanted-files.ts';
export { writeArchive } from './archives/write-archive.ts';
export {
  type AuthorPrompt,
  authorPrompts,
  isEvalsFile,
  isTriggerFile,
  parsePrompts,
  promptsIn,
} from './author-prompts.ts';
export {
  type Catalogue,
  type CatalogueRanking,
  cataloguedDescription,
  renderCatalogue,
  renderFullCatalogue,
} from './catalogue.ts';
export type { ReadSources } from './conversion/convert-sources.ts';
export type { SourceSkill } from './conversion/make-skill.ts';
export { readSources } from './conversion/read-sources.ts';
export {
  maxToolBytes,
  parseSkillTool,
  runsCode,
  type SkillTool,
  skillToolSchema,
  type ToolSetting,
  toolFile,
} from './conversion/skill-tool.ts';
export { countSkills } from './count-skills.ts';
export { isReplaced } from './deprecated-skills.ts';
export { describeNotOffered } from './describe-not-offered.ts';
export { createDraftTests, type DraftTests } from './drafts/draft-tests.ts';
export {
  createSkillDrafts,
  noDraft,
  type SkillDrafts,
  type StoredDraft,
} from './drafts/skill-drafts.ts';
export {
  closedReview,
  createSkillReviews,
  noReview,
  type SkillReviews,
  type StoredReview,
} from './drafts/skill-reviews.ts';
export { createEmbeddingCache } from './embedding-cache.ts';
export { createEditStore, type FolderEdit } from './folders/edit-store.ts';
export { findEditFaults } from './folders/find-edit-faults.ts';
export { createFolderEdits, type FolderEdits } from './folders/folder-edits.ts';
export { lookEveryMs, lookRegularly } from './folders/look-regularly.ts';
export { listPublished, readPublishedFile } from './folders/published-rows.ts';
export { createPublishedSource, nameOf, type PublishedSource } from './folders/published-source.ts';
export { readReviewState, writeReviewState } from './folders/review-state.ts';
export { createReviewedWriter } from './folders/reviewed-writer.ts';
export { fuseRankings } from './fuse-rankings.ts';
export { isWantedSkill } from './git/choose-skills.ts';
export { type GitCredentials, getCredentials } from './git/get-credentials.ts';
export { type GitAddress, parseGitAddress } from './git/git-address.ts';
export { createGitReader, type GitReader, type ReadCommit } from './git/git-reader.ts';
export type { NewCommit } from './git/push-branch.ts';
export type { TreeFile } from './git/read-tree.ts';
export { createServedRepositories } from './git/served-repositories.ts';
export { createInbox, type Inbox } from './inbox/inbox.ts';
export { createMailQueue } from './mail/mail-queue.ts';
export { createMailSettings, type MailSettings } from './mail/mail-settings.ts';
export { type Mail, openMail } from './mail/open-mail.ts';
export { neutraliseTags } from './neutralise-tags.ts';
export { isOffered, offerInApp, offerTest } from './offer-in-app.ts';
export { createSkillOwners, type SkillOwners } from './owners/skill-owners.ts';
export { readOwnPrompts, withOwnPrompts } from './personal/own-prompts.ts';
export { createPersonalSkillReader, type PersonalSkillReader } from './personal/personal-reader.ts';
export {
  createPersonalSkills,
  type PersonalSkills,
  type StoredPersonalSkill,
} from './personal/personal-skills.ts';
export {
  createSkillShares,
  type Recipient,
  recipientsChecksum,
  type ShareChange,
  type SkillShares,
} from './personal/skill-shares.ts';
export { isGitFileName } from './published/git-file-names.ts';
export {
  createPublishedRepository,
  type PublishedRepository,
} from './published/published-repository.ts';
export { type ConversationText, rankForConversation } from './rank-for-conversation.ts';
export { contentFor, referTo } from './render-skill-content.ts';
export { rankedAbove } from './search-skills.ts';
export { createSkillEmbeddings } from './skill-embeddings.ts';
export { createSkillIndex, type SkillIndex } from './skill-index.ts';
export {
  findArgumentIssue,
  getSkillParameters,
  parametersToSchema,
  wholeArguments,
} from './skill-parameters.ts';
export { createRanking, type SkillRanking } from './skill-ranking.ts';
export { createSkillSecrets, type SkillSecrets } from './skill-secrets.ts';
export {
  allowsScripts,
  canBeOffered,
  findBlockedContent,
  findGrantedSkill,
  getBlock,
  getSkillSettings,
  isEnabled,
  mayNameTools,
  shownTexts,
  toGrantedSkill,
} from './skill-settings.ts';
export { createTermReader } from './skill-terms.ts';
export { createSkillView, nameSpellings, type SkillView } from './skill-view.ts';
export {
  createSourceStates,
  type PendingChanges,
  type SourceStates,
  type TakenSkill,
  type Taking,
} from './sources/source-states.ts';
export { describeBroken } from './store/describe-broken.ts';
export { countLeftOut, describeLeftOut } from './store/describe-left-out.ts';
export { diagnoseContent } from './store/diagnose-content.ts';
export { publishLimits } from './store/digest-files.ts';
export {
  findSkillFiles,
  readSkillAt,
  type SkillFilePath,
  skillFileAt,
} from './store/find-skill-files.ts';
export type { FolderSource } from './store/folder-skill.ts';
export { folderSource, scanFolder } from './store/folder-source.ts';
export { listAllFiles } from './store/list-files.ts';
export { type InstalledPlugin, type PluginSource, pluginSource } from './store/plugin-source.ts';
export { readSourceFolder, walkSources } from './store/read-source-folder.ts';
export { isFree, type SkillRoots } from './store/refused-folder.ts';
export { defaultScanLimits, type ScanLimits } from './store/scan-limits.ts';
export { describeContent, readContent } from './store/skill-content.ts';
export { buildSnapshot, type SkillSnapshot } from './store/skill-snapshot.ts';
export {
  type BrokenSkill,
  describeLocation,
  type FoundSkill,
  getFolderName,
  getFullPath,
  getSkillId,
  type Notices,
  type OpenSkillFile,
  type SkillChange,
  type SkillLocation,
  type SkillSource,
  type SourceFile,
  type SourceStatus,
  type StoredSkill,
} from './store/skill-source.ts';
export { type RefusedSource, type SkillSources, skillSources } from './store/skill-sources.ts';
export { openSkillStore, type SkillStore } from './store/skill-store.ts';
export { createSkillWriter, type SkillWriter } from './store/skill-writer.ts';
export { checkFilePath } from './store/writable-path.ts';
export { writeFolder } from './store/write-folder.ts';
export { createTermIndex } from './term-index.ts';
export type { AppAssignment, SkillAssignments } from './versions/add-version.ts';
export { categoryOf, findMain } from './versions/category-of.ts';
export { compareManifests } from './versions/compare-manifests.ts';
export { createFixedVersionReader } from './versions/fixed-versions.ts';
export { type FolderFollower, followFolders, getFolderOrigin } from './versions/follow-folders.ts';
export { locateManifest } from './versions/locate-manifest.ts';
export { describeFiles, type ManifestFile } from './versions/manifest.ts';
export { createNewestVersions, type NewestVersions } from './versions/newest-versions.ts';
export { recordRemovals } from './versions/record-removals.ts';
export { createSkillBin, type DeletedSkill, type SkillBin } from './versions/skill-bin.ts';
export {
  createSkillVersions,
  type SkillVersions,
  type StoredVersion,
} from './versions/skill-versions.ts';
export { findWantedVersions } from './versions/wanted-versions.ts';
export type { VisibleSkill } from './visible-skill.ts';
