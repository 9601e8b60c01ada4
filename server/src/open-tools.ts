import type { Cluster } from './cluster/cluster.ts';
import type { ContentStore } from './content/content-store.ts';
import { createGuardedFetch } from './lib/guarded-fetch.ts';
import type { McpHost } from './mcp/mcp-host.ts';
import { openSkillTools } from './open-skill-tools.ts';
import type { SkillStore } from './skill-store/skill-store.ts';
import type { AuditLog } from './storage/audit-log.ts';
import type { Database } from './storage/open-database.ts';
import { builtinTools } from './tools/builtin/builtin-tools.ts';
import { pageLimits } from './tools/builtin/fetch-page-tool.ts';
import { createCallAudit } from './tools/call-audit.ts';
import { callLimits } from './tools/call-clock.ts';
import type { CallServices } from './tools/run-source-tool.ts';
import { createToolConsents } from './tools/tool-consents.ts';
import { createToolQuestions } from './tools/tool-questions.ts';
import type { ToolSource } from './tools/tool-source.ts';
import { createToolbox } from './tools/toolbox.ts';

interface Dependencies {
  /** Beside our own, and after them. */
  toolSources?: readonly ToolSource[];
  mcp: McpHost;
  content: ContentStore;
  skills: SkillStore;
  database: Database;
  cluster: Cluster;
  audit: AuditLog;
}

/** The sources of tools, and what calls of them need. */
export function openTools({
  toolSources = [],
  mcp,
  content,
  skills,
  database,
  cluster,
  audit,
}: Dependencies): CallServices {
  const guarded = createGuardedFetch({
    allowPrivate: () => content.current.platform.outbound?.allowPrivate ?? [],
  });
  const fetch = guarded.within(pageLimits);
  const builtin = builtinTools({ fetch });
  const ofSkills = openSkillTools({ content, skills, fetch });
  return {
    toolbox: createToolbox({
      sources: () => [builtin, ofSkills, ...toolSources, ...mcp.sources],
      config: () => content.current.tools,
    }),
    consents: createToolConsents(database),
    questions: createToolQuestions(database, cluster),
    audit: createCallAudit(audit),
    limits: callLimits,
  };
}
