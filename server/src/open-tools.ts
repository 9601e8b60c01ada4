import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import type { Cluster } from './cluster/cluster.ts';
import type { ContentStore } from './content/content-store.ts';
import { temporaryLimits } from './conversations/file-limits.ts';
import { createFiles } from './conversations/files.ts';
import { filesWithTemporary } from './conversations/files-with-temporary.ts';
import type { TemporaryBounds } from './conversations/temporary-bounds.ts';
import type { OpenServers } from './open-servers.ts';
import { openSkillTools } from './open-skill-tools.ts';
import type { Runner } from './runner/runner.ts';
import type { SkillStore } from './skill-store/skill-store.ts';
import type { SkillSecrets } from './skills/skill-secrets.ts';
import type { AuditLog } from './storage/audit-log.ts';
import type { Database } from './storage/open-database.ts';
import { builtinTools } from './tools/builtin/builtin-tools.ts';
import { pageLimits } from './tools/builtin/fetch-page-tool.ts';
import { createPageReader } from './tools/builtin/read-page.ts';
import { createCallAudit } from './tools/call-audit.ts';
import { callLimits } from './tools/call-clock.ts';
import type { CallServices } from './tools/run-source-tool.ts';
import { createScriptSource } from './tools/script-source.ts';
import { createToolConsents } from './tools/tool-consents.ts';
import { createToolQuestions } from './tools/tool-questions.ts';
import type { ToolSource } from './tools/tool-source.ts';
import { createToolbox } from './tools/toolbox.ts';

interface Dependencies {
  /** Additional sources, after the built-in ones. */
  toolSources?: readonly ToolSource[];
  content: ContentStore;
  skills: SkillStore;
  /** Secrets that admins entered for skills' code. */
  secrets: SkillSecrets;
  database: Database;
  /** Temporary conversations. */
  temporary: { database: Database; bounds: TemporaryBounds };
  cluster: Cluster;
  audit: AuditLog;
  servers: OpenServers;
  /** The script runner, if configured. */
  scripts: { runner: Runner | undefined };
}

/** Creates the tool sources and the services of tool calls. */
export function openTools({
  toolSources = [],
  servers,
  scripts,
  ...parts
}: Dependencies): CallServices {
  const { content, skills, secrets, database, temporary, cluster, audit } = parts;
  const databaseOf = (id: string) => (isTemporary(id) ? temporary.database : database);
  const fetchFor = (checkAddress?: (url: URL) => void) =>
    servers.outbound.within({ ...pageLimits, ...(checkAddress ? { checkAddress } : {}) });
  const reader = createPageReader(2);
  const inMemory = createFiles(temporary.database, temporaryLimits);
  const files = filesWithTemporary(createFiles(database), inMemory, temporary.bounds);
  const own = [
    builtinTools({ fetch: fetchFor(), reader }),
    openSkillTools({ content, skills, secrets, fetchFor, reader, runner: scripts.runner }),
    createScriptSource({ runner: scripts.runner, files }),
  ];
  return {
    toolbox: createToolbox({
      sources: () => [...own, ...toolSources, ...servers.mcp.sources],
      config: () => content.current.tools,
    }),
    consents: createToolConsents(database, databaseOf),
    questions: createToolQuestions(databaseOf, cluster),
    audit: createCallAudit(audit),
    limits: callLimits,
    files,
  };
}
