import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { Contents, ContentWriter } from '../../content/index.ts';
import type {
  DraftTests,
  PluginSource,
  SizeLimits,
  SkillBin,
  SkillDrafts,
  SkillIndex,
  SkillOwners,
  SkillReviews,
  SkillSecrets,
  SkillStore,
  SkillVersions,
  SkillWriter,
  StoredVersion,
} from '../../skills/index.ts';
import type { Runner, SkillSync } from '../../tools/index.ts';

/** Dependencies of skill administration. */
export interface SkillAdmin {
  contents: () => Contents;
  contentWriter: ContentWriter;
  skills: SkillStore;
  plugins: PluginSource;
  writer: SkillWriter;
  versions: SkillVersions;
  bin: SkillBin;
  drafts: SkillDrafts;
  reviews: SkillReviews;
  owners: SkillOwners;
  draftTests: DraftTests;
  index: SkillIndex;
  audit: AuditLog;
  /** Names of all tools that skills may call. */
  toolNames: () => ReadonlySet<string>;
  secrets: SkillSecrets;
  /** Size limits of local skills. */
  sizeLimits: SizeLimits;
  /** Whether scripts are enabled, and the runner. */
  scripts: {
    wanted: boolean;
    runner: Runner | undefined;
    warnings: string[];
    /** If the runner keeps copies of skills. */
    copying: SkillSync | undefined;
  };
}

/** The author of a change, and the state that they have seen. */
export interface Change {
  by: { id: string; name: string };
  /** The checksum from `If-Match`, if any. */
  expected: string | undefined;
}

/** A change of a skill's files, with what its version says about it. */
export interface SkillWrite extends Change {
  name: string;
  /** The author's words about the change. */
  message: string | undefined;
  origin: StoredVersion['origin'];
  /** Whether the author holds the right to publish. */
  isPublisher: boolean;
  /** Why failed required checks do not stop them. */
  reason: string | undefined;
}
