import type { SizeLimits } from '../archives/unpack-limits.ts';
import type { Contents } from '../content/contents.ts';
import type { ContentWriter } from '../content/write-contents.ts';
import type { Runner } from '../runner/runner.ts';
import type { PluginSource } from '../skill-store/plugin-source.ts';
import type { SkillHistory } from '../skill-store/skill-history.ts';
import type { SkillStore } from '../skill-store/skill-store.ts';
import type { SkillWriter } from '../skill-store/skill-writer.ts';
import type { SkillCopying } from '../skills/copy-skills.ts';
import type { SkillIndex } from '../skills/skill-index.ts';
import type { SkillSecrets } from '../skills/skill-secrets.ts';
import type { AuditLog } from '../storage/audit-log.ts';

/** What an admin's work on skills needs. */
export interface SkillAdmin {
  contents: () => Contents;
  contentWriter: ContentWriter;
  skills: SkillStore;
  plugins: PluginSource;
  writer: SkillWriter;
  history: SkillHistory;
  index: SkillIndex;
  audit: AuditLog;
  /** By which skills may call the tools that there are. */
  toolNames: () => ReadonlySet<string>;
  secrets: SkillSecrets;
  /** What a skill may hold that is written here. */
  sizeLimits: SizeLimits;
  /** Whether scripts are to be run, and by what. */
  scripts: {
    wanted: boolean;
    runner: Runner | undefined;
    warnings: string[];
    /** Where the runner keeps copies of skills. */
    copying: SkillCopying | undefined;
  };
}

/** Who changes something, and what they saw of it before. */
export interface Change {
  by: { id: string; name: string };
  /** The checksum from `If-Match`, where there is one. */
  expected: string | undefined;
}
