import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import type { ContentStore } from './modules/content/index.ts';
import {
  createFiles,
  filesWithTemporary,
  type TemporaryBounds,
  temporaryLimits,
} from './modules/conversations/index.ts';
import {
  createSkillView,
  getSkillSettings,
  type SkillSecrets,
  type SkillStore,
} from './modules/skills/index.ts';
import {
  builtinTools,
  type CallServices,
  callLimits,
  createCallAudit,
  createPageReader,
  createScriptSource,
  createSkillToolSource,
  createToolbox,
  createToolConsents,
  createToolQuestions,
  type FlowServices,
  type PageReader,
  pageLimits,
  type Runner,
  readWebPage,
  type ToolSource,
} from './modules/tools/index.ts';
import type { OpenServers } from './open-servers.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import type { AuditLog } from './platform/storage/audit-log.ts';
import type { Database } from './platform/storage/open-database.ts';

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

interface SkillToolDependencies {
  content: ContentStore;
  skills: SkillStore;
  secrets: SkillSecrets;
  /** Guarded; calls `checkAddress` before each request and redirect, and aborts if it throws. */
  fetchFor: (checkAddress?: (url: URL) => void) => typeof fetch;
  reader: PageReader;
  runner: Runner | undefined;
}

/** Tools provided by the available skills. */
function openSkillTools({
  content,
  skills,
  secrets,
  fetchFor,
  reader,
  runner,
}: SkillToolDependencies): ToolSource {
  const everything = () => {
    const { skills: config, apps } = content.current;
    return createSkillView({
      store: skills,
      config,
      grant: 'all',
      groups: [],
      apps: [...apps.values()],
    });
  };
  const reach = (checkAddress?: (url: URL) => void): FlowServices => {
    const fetch = fetchFor(checkAddress);
    return { fetch, readPage: (page, call) => readWebPage(page, { fetch, reader, call }) };
  };
  const entryOf = (skill: string) => getSkillSettings(skill, content.current.skills)?.tool;
  const code = runner && {
    runner,
    reach,
    hostsOf: (skill: string) => entryOf(skill)?.hosts ?? [],
    settingsOf: async (skill: string) => ({
      ...entryOf(skill)?.settings,
      ...(await secrets.read(skill)),
    }),
  };
  return createSkillToolSource({ ...reach(), everything, code });
}
