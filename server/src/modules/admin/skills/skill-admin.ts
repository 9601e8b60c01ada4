import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { Contents } from '../../content/contents.ts';
import type { ContentWriter } from '../../content/write-contents.ts';
import type { SizeLimits } from '../../skills/archives/unpack-limits.ts';
import type { SkillIndex } from '../../skills/skill-index.ts';
import type { SkillSecrets } from '../../skills/skill-secrets.ts';
import type { PluginSource } from '../../skills/store/plugin-source.ts';
import type { SkillHistory } from '../../skills/store/skill-history.ts';
import type { SkillStore } from '../../skills/store/skill-store.ts';
import type { SkillWriter } from '../../skills/store/skill-writer.ts';
import type { Runner } from '../../tools/runner/runner.ts';
import type { SkillSync } from '../../tools/sync-skills.ts';

/** Dependencies of skill administration. */
export interface SkillAdmin {
  contents: () => Contents;
  contentWriter: ContentWriter;
  skills: SkillStore;
  plugins: PluginSource;
  writer: SkillWriter;
  history: SkillHistory;
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
