import type { McpServer } from '@knowhow/shared/mcp-config';
import type { Cluster } from './cluster/cluster.ts';
import type { ContentStore } from './content/content-store.ts';
import type { Environment } from './env.ts';
import { createGuardedFetch } from './lib/guarded-fetch.ts';
import type { Log } from './lib/log.ts';
import { openMcp } from './open-mcp.ts';
import { openSkillTools } from './open-skill-tools.ts';
import type { Runner } from './runner/runner.ts';
import type { SkillStore } from './skill-store/skill-store.ts';
import type { AuditLog } from './storage/audit-log.ts';
import type { Database } from './storage/open-database.ts';
import { builtinTools } from './tools/builtin/builtin-tools.ts';
import { pageLimits } from './tools/builtin/fetch-page-tool.ts';
import { createCallAudit } from './tools/call-audit.ts';
import { callLimits } from './tools/call-clock.ts';
import type { CallServices } from './tools/run-source-tool.ts';
import { createScriptSource } from './tools/script-source.ts';
import { createToolConsents } from './tools/tool-consents.ts';
import { createToolQuestions } from './tools/tool-questions.ts';
import type { ToolSource } from './tools/tool-source.ts';
import { createToolbox } from './tools/toolbox.ts';

/** The sources of tools, and what calls of them need. */
export interface OpenTools {
  callServices: CallServices;
  /** To be called when the configuration has changed. */
  followServers: () => void;
  close(): Promise<void>;
}

interface Dependencies {
  /** Beside our own, and after them. */
  toolSources?: readonly ToolSource[];
  content: ContentStore;
  skills: SkillStore;
  database: Database;
  cluster: Cluster;
  audit: AuditLog;
  log: Log;
  version: string;
  /** What runs scripts, if anything does. */
  scripts: { runner: Runner | undefined };
}

export function openTools(
  environment: Environment,
  { toolSources = [], ...parts }: Dependencies,
): OpenTools {
  const { content, skills, database, cluster, audit } = parts;
  const listed = () => content.current.platform.outbound?.allowPrivate ?? [];
  const guarded = createGuardedFetch({ allowPrivate: listed });
  // Whoever may write the file of servers means the addresses in it, also those of the local network.
  const toServers = createGuardedFetch({
    allowPrivate: () => [...listed(), ...content.current.mcpServers.flatMap(hostsOf)],
  });
  const mcp = openMcp(environment, { ...parts, fetch: toServers.fetch });
  const fetch = guarded.within(pageLimits);
  const builtin = builtinTools({ fetch });
  const ofSkills = openSkillTools({ content, skills, fetch });
  const ofScripts = createScriptSource(parts.scripts);
  return {
    callServices: {
      toolbox: createToolbox({
        sources: () => [builtin, ofSkills, ofScripts, ...toolSources, ...mcp.sources],
        config: () => content.current.tools,
      }),
      consents: createToolConsents(database),
      questions: createToolQuestions(database, cluster),
      audit: createCallAudit(audit),
      limits: callLimits,
    },
    followServers: mcp.follow,
    close: async () => {
      await Promise.all([mcp.close(), guarded.close(), toServers.close()]);
    },
  };
}

function hostsOf(server: McpServer): string[] {
  return server.kind === 'http' ? [new URL(server.url).host] : [];
}
