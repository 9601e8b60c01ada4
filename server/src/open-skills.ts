import { join } from 'node:path';
import type { ContentFault } from '@knowhow/shared/config/health';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import type { Cluster } from './cluster/cluster.ts';
import type { ContentStore } from './content/content-store.ts';
import type { Environment } from './env.ts';
import type { Log } from './lib/log.ts';
import { logFailure } from './lib/log-failure.ts';
import { logOnce } from './lib/log-once.ts';
import type { ProviderKeys } from './models/provider-keys.ts';
import { openRankings } from './open-rankings.ts';
import { describeBroken } from './skill-store/describe-broken.ts';
import { folderSource } from './skill-store/folder-source.ts';
import { type PluginSource, pluginSource } from './skill-store/plugin-source.ts';
import { createSkillHistory, type SkillHistory } from './skill-store/skill-history.ts';
import type { SkillSnapshot } from './skill-store/skill-snapshot.ts';
import type { SkillSource } from './skill-store/skill-source.ts';
import { type SkillSources, skillSources } from './skill-store/skill-sources.ts';
import { openSkillStore, type SkillStore } from './skill-store/skill-store.ts';
import { createSkillWriter, type SkillWriter } from './skill-store/skill-writer.ts';
import { describeNotOffered } from './skills/describe-not-offered.ts';
import type { SkillIndex } from './skills/skill-index.ts';
import type { SkillRanking } from './skills/skill-ranking.ts';
import { createSkillSecrets, type SkillSecrets } from './skills/skill-secrets.ts';
import {
  describeFault,
  faultsOfSources,
  skillsConfigPath as path,
  wrongExtras,
  wrongSources,
} from './source-faults.ts';
import type { Database } from './storage/open-database.ts';

/** Why the server does not start, for the operator to read. */
export class StartProblem extends Error {}

export interface OpenSkills {
  skills: SkillStore;
  /** Those of `contents/plugins`: one of its sources. */
  plugins: PluginSource;
  writer: SkillWriter;
  history: SkillHistory;
  /** What admins have entered for the code of skills. */
  secrets: SkillSecrets;
  index: SkillIndex;
  /** By words and, where there is an embedder, by meaning. */
  ranking: SkillRanking;
  close: () => void;
  /** To be called when the configuration has changed. */
  followSources: () => void;
  /** Folders from which no skills are read, or not all: refused, not there, or beyond a limit. */
  sourceFaults: () => ContentFault[];
}

interface Dependencies {
  /** The folder of those that the product brings. */
  builtinSkills?: string | undefined;
  /** Beside the folders, and after them. */
  skillSources?: readonly SkillSource[];
  /** Those on other servers, after all others. */
  servers?: { mcp: { readonly skillSources: readonly SkillSource[] } };
  cluster: Cluster;
  content: ContentStore;
  database: Database;
  log: Log;
  providerKeys: ProviderKeys;
  /** 32 bytes that encrypt what is stored. */
  key: Buffer;
  /** Runs what writes files of `contents/`. */
  writeFiles: SkillWriter['exclusive'];
  /** Called when the skills have changed. */
  onSkills: () => void;
}

/** Opens the skills to read and to write, when what a crash has left is put in order. */
export async function openSkills(
  environment: Environment,
  dependencies: Dependencies,
): Promise<OpenSkills> {
  const { builtinSkills, skillSources: others = [], servers } = dependencies;
  const { cluster, content, database, log, providerKeys } = dependencies;
  const { dataDirectory, skillsStrict, skillLimits } = environment;
  const found = () => skillSources(content.current.skills, { ...environment, builtinSkills });
  const { contentsDirectory, sizeLimits } = environment;
  const plugins = pluginSource(join(contentsDirectory, 'plugins'), sizeLimits);
  const sourcesNow = () => {
    const folders = found().sources.map((folder) => folderSource(folder, skillLimits));
    const mounted = servers?.mcp.skillSources ?? [];
    return [...folders.slice(0, 1), plugins, ...folders.slice(1), ...others, ...mounted];
  };
  const local = () => found().local.directory;
  const writer = createSkillWriter({ ...dependencies, directory: local });
  const former = join(dataDirectory, 'history');
  const history = createSkillHistory({ cluster, database, directory: former });
  await tidyUp([writer.recover(), cluster.atStart('skill history', history.recover)], log);
  const logSome = logSkills(log);
  /** What stops the start is reported by that. */
  let isChecked = !skillsStrict;
  const report = () => {
    ranked.refresh();
    dependencies.onSkills();
    if (isChecked) {
      logSome(sourceFaults(), skills.snapshot, content.current.skills);
    }
  };
  const skills: SkillStore = openSkillStore(sourcesNow(), report, (error) =>
    log.error({ error }, 'changes of skills could not be read'),
  );
  const ranked = openRankings({
    ...{ cluster, content, database, log, providerKeys, store: skills },
    onFault: () => report(),
  });
  const sourceFaults = () => [
    ...faultsOfSources(found(), skills.sources, skillLimits),
    ...ranked.faults(),
  ];
  if (skillsStrict) {
    await refuseBroken(skills, found());
    isChecked = true;
    report();
  }
  const followSources = () => {
    skills.setSources(sourcesNow());
    ranked.refresh();
  };
  const record = logFailure(history.record, log, 'a state of a skill is not in the history');
  return {
    ...{ skills, plugins, writer },
    history: { ...history, record },
    secrets: createSkillSecrets(database, dependencies.key),
    index: ranked.index,
    ranking: ranked.ranking,
    close: () => {
      ranked.close();
      skills.close();
    },
    followSources,
    sourceFaults,
  };
}

/** What a crash has left can stay where it is when the disk cannot be written. */
async function tidyUp(work: Promise<void>[], log: Log): Promise<void> {
  for (const done of await Promise.allSettled(work)) {
    if (done.status === 'rejected') {
      log.warn({ error: done.reason }, 'leftovers of an earlier stop could not be cleaned up');
    }
  }
}

/** Warns of what keeps skills from being offered, after each look at them. */
function logSkills(log: Log) {
  const logFaults = logOnce(log, 'folders of skills have faults');
  const logNotOffered = logOnce(log, 'skills are not offered');
  let last: unknown[] = [];
  return (faults: readonly ContentFault[], snapshot: SkillSnapshot, config: SkillsConfig) => {
    logFaults(faults.map(describeFault));
    if (last[0] !== snapshot || last[1] !== config) {
      last = [snapshot, config];
      logNotOffered(describeNotOffered(snapshot, config));
    }
  };
}

/**
 * With `SKILLS_STRICT`, the start stops at a skill that cannot be offered, has a wrong name, or has YAML that
 * was repaired; and at a folder that is not there or holds no skill.
 */
async function refuseBroken(skills: SkillStore, found: SkillSources): Promise<void> {
  await skills.scanned;
  const missing = [
    ...wrongSources(found, skills.sources).map((fault) => ({ path, ...fault })),
    ...wrongExtras(found, skills.sources),
  ].map(describeFault);
  const broken = describeBroken(skills.snapshot, { isStrict: true });
  if (broken.length + missing.length > 0) {
    skills.close();
    const what = missing.length > 0 ? 'skills are missing or broken' : 'skills are broken';
    throw new StartProblem(
      [`SKILLS_STRICT is set, and ${what}:`, ...missing, ...broken].join('\n'),
    );
  }
}
