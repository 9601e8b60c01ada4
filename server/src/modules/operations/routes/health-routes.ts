import { type ContentIssue, healthApi } from '@knowhow/shared/config/health';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { paginate } from '../../../platform/http/paginate.ts';
import { route } from '../../../platform/http/route.ts';
import { ignore } from '../../../platform/lib/ignore.ts';
import { isPostgres } from '../../../platform/storage/is-postgres.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import { createWriteProbe } from '../../../platform/storage/probe-writes.ts';
import type { SkillAdmin } from '../../admin/index.ts';
import type { Contents } from '../../content/index.ts';
import { countLeftOut, countSkills, type SkillStore } from '../../skills/index.ts';
import type { Runner } from '../../tools/index.ts';
import type { ScheduledBackups } from '../schedule-backups.ts';

interface Dependencies {
  contents: () => Contents;
  /** Configuration issues: settings that are ignored, wholly or in part. */
  faults: () => ContentIssue[];
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
  // Readers of the skills report a failed scan; the server stays not ready.
  skills.scanned.then(() => {
    scanned = true;
  }, ignore);

  route(router, healthApi.health, () => ({ status: 'ok' as const }));

  route(router, healthApi.ready, async () => {
    if (dependencies.isStopping()) {
      throw problem(
        'not-ready',
        'The server is shutting down. Use another one, or try again later.',
      );
    }
    await checkDatabase(database);
    await checkWrites();
    if (!scanned) {
      throw problem('not-ready', 'The skills are still being read.');
    }
    if (!hasAdmin()) {
      throw problem('not-ready', 'The administrator account is still being created.');
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
      ...(scripts.wanted ? { scripts: runnerStatus(scripts.runner) } : {}),
      ...(scheduledBackups ? { backup: backupStatus(scheduledBackups) } : {}),
    };
  });

  route(router, healthApi.faults, ({ query }) => paginate(faults(), query));
}

function runnerStatus(runner: Runner | undefined) {
  const { tier, status } = runner ?? { tier: 'none' as const, status: 'away' as const };
  return { tier, status };
}

function backupStatus(backups: ScheduledBackups) {
  const { last, error } = backups.state();
  const lastStatus = last === undefined ? ('pending' as const) : ('ok' as const);
  const status = error === undefined ? lastStatus : ('failed' as const);
  return { status, ...(last ? { lastAt: last.at } : {}) };
}

async function checkDatabase(database: Database): Promise<void> {
  try {
    await database.selectFrom('users').select('id').limit(1).execute();
  } catch (cause) {
    throw problem('not-ready', 'The database does not respond.', { cause });
  }
}
