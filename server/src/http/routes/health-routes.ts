import { type ContentFault, healthApi } from '@knowhow/shared/config/health';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import type { SkillAdmin } from '../../admin/skill-admin.ts';
import type { ScheduledBackups } from '../../backup/schedule-backups.ts';
import type { Contents } from '../../content/contents.ts';
import { ignore } from '../../lib/ignore.ts';
import type { Runner } from '../../runner/runner.ts';
import { countLeftOut } from '../../skill-store/count-left-out.ts';
import type { SkillStore } from '../../skill-store/skill-store.ts';
import { countSkills } from '../../skills/count-skills.ts';
import { isPostgres } from '../../storage/is-postgres.ts';
import type { Database } from '../../storage/open-database.ts';
import { createWriteProbe } from '../../storage/probe-writes.ts';
import { pageOf } from '../page-of.ts';
import { route } from '../route.ts';

interface Dependencies {
  contents: () => Contents;
  /** What of the configuration is not used, wholly or in part. */
  faults: () => ContentFault[];
  skills: SkillStore;
  hasAdmin: () => boolean;
  database: Database;
  dataDirectory: string;
  scheduledBackups: ScheduledBackups | undefined;
  scripts: SkillAdmin['scripts'];
  isStopping: () => boolean;
}

export function healthRoutes(router: Router, dependencies: Dependencies): void {
  const { contents, faults, skills, hasAdmin, database, scheduledBackups, scripts } = dependencies;
  const checkWrites = createWriteProbe(dependencies);
  let scanned = false;
  // A scan that fails is reported by who reads the skills; this one stays not ready.
  skills.scanned.then(() => {
    scanned = true;
  }, ignore);

  route(router, healthApi.health, () => ({ status: 'ok' as const }));

  route(router, healthApi.ready, async () => {
    if (dependencies.isStopping()) {
      throw problem(
        'not-ready',
        'The server is stopping. Ask another one, or try again in a while.',
      );
    }
    await checkDatabase(database);
    await checkWrites();
    if (!scanned) {
      throw problem('not-ready', 'The skills are still being read.');
    }
    if (!hasAdmin()) {
      throw problem('not-ready', 'The account of the administrator is still being made.');
    }
    return {
      status: 'ready' as const,
      skills: {
        ...countSkills(skills.snapshot, contents().skills),
        foldersLeftOut: countLeftOut(skills),
      },
      database: {
        kind: isPostgres(database) ? ('postgres' as const) : ('sqlite' as const),
        status: 'ok' as const,
      },
      faults: faults().length,
      ...(scripts.wanted ? { scripts: standOfRunner(scripts.runner) } : {}),
      ...(scheduledBackups ? { backup: standOf(scheduledBackups) } : {}),
    };
  });

  route(router, healthApi.faults, ({ query }) => pageOf(faults(), query));
}

function standOfRunner(runner: Runner | undefined) {
  const { tier, status } = runner ?? { tier: 'none' as const, status: 'away' as const };
  return { tier, status };
}

function standOf(backups: ScheduledBackups) {
  const { last, error } = backups.state();
  const madeOne = last === undefined ? ('pending' as const) : ('ok' as const);
  const status = error === undefined ? madeOne : ('failed' as const);
  return { status, ...(last ? { lastAt: last.at } : {}) };
}

async function checkDatabase(database: Database): Promise<void> {
  try {
    await database.selectFrom('users').select('id').limit(1).execute();
  } catch (cause) {
    throw problem('not-ready', 'The database does not answer.', { cause });
  }
}
