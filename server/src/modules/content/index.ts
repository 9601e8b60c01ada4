/** The public interface of `content`: other modules import only this. */
export { type AllowedVariables, type AllowVariables, allowVariables } from './allowed-variables.ts';
export { rollBackCommit } from './commit-files.ts';
export { type ConfigChange, platformFile, skillsFile, sourcesLockPath } from './config-file.ts';
export { configIssues } from './config-issues.ts';
export { computeChecksum } from './config-item.ts';
export { type ContentStore, openContentStore } from './content-store.ts';
export { invalidAppIcons, unresolvedPlaceholders, unusedSettings } from './content-warnings.ts';
export type { Contents } from './contents.ts';
export { embedOrigins, findEmbedders } from './embed-origins.ts';
export { fillPlaceholders } from './fill-placeholders.ts';
export { isSecret } from './is-secret.ts';
export { itemFiles } from './item-files.ts';
export { groupsInPlatform, type NamedGroup, toNamedGroups, unknownGroups } from './named-groups.ts';
export { newFieldIssues } from './new-field-issues.ts';
export { isTooDeep, maxConfigBytes, parseConfig } from './parse-config.ts';
export type { RawConfig } from './raw-config.ts';
export { fillFields, maskSecrets, withholdSecrets } from './secret-fields.ts';
export { isSecretVariable } from './secret-variable.ts';
export { type ContentChange, diffContents } from './shared/content-file.ts';
export { openContentFolder } from './shared/content-folder.ts';
export {
  lockContents,
  readContentState,
  readGeneration,
  writeContents,
} from './shared/content-rows.ts';
export { cacheMark } from './shared/open-cache.ts';
export { openSharedContents, type SharedContents } from './shared/shared-contents.ts';
export { syncContentFolder } from './shared/sync-content-folder.ts';
export { skillOfEntry } from './skills-by-directory.ts';
export { stageFiles } from './staged-files.ts';
export {
  type ContentTransaction,
  type ContentWriter,
  createContentWriter,
} from './write-contents.ts';
