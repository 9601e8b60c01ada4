// The public interface of this folder. It works on bytes and values, without file access, and is
// independent of the server.
export { catalogueEntry, type Described, fitsCatalogue } from './catalogue-entry.ts';
export { compareFiles, createFileComparer, findChangedFiles } from './compare-files.ts';
export { createMessage } from './create-message.ts';
export {
  diagnoseFiles,
  diagnoseImports,
  diagnosePacked,
  diagnoseReferences,
  isSkillFile,
  maxListed,
} from './diagnose-files.ts';
export type { DiagnosticKind } from './diagnostic-kind.ts';
export { type DiagnosticCode, diagnose, diagnosticKinds, passesReference } from './diagnostics.ts';
export { editFields, type FieldTexts } from './edit-fields.ts';
export { diagnoseName, isOfFileName } from './file-name-diagnostic.ts';
export {
  findCollision,
  findNameIssue,
  findPathIssue,
  isSkippedName,
  pathCollision,
  skippedFolders,
} from './file-path-rules.ts';
export { findPrivateWords } from './find-private.ts';
export { findResource, locateResource, nearestFiles, withoutOwnName } from './find-resource.ts';
export { findSecrets } from './find-secrets.ts';
export { fixSkill, isFixable } from './fix-skill.ts';
export { reveal } from './hidden-characters.ts';
export { importedModules } from './imported-modules.ts';
export { inspectFiles } from './inspect-files.ts';
export { type ImportingFile, judgeImports } from './judge-imports.ts';
export { judgeNewSkill } from './judge-new-skill.ts';
export { judgeReferences, namedFiles } from './judge-references.ts';
export { judgeStrictly } from './judge-strictly.ts';
export { createTextMerger } from './merge-texts.ts';
export type { PackedFile } from './packed-file.ts';
export { parseSkill } from './parse-skill.ts';
export { completeFrontmatter } from './portable-frontmatter.ts';
export { maxSkillFileBytes, readSkillDocument } from './read-skill-document.ts';
export { tagFaults } from './read-tags.ts';
export type { Skill } from './skill.ts';
export { renameSkill, rewriteSkillFile, writeSkillFile } from './write-skill-file.ts';
