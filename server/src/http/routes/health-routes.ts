import { healthApi } from '@knowhow/shared/health';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import type { Contents } from '../../content/contents.ts';
import { countSkills } from '../../skills/count-skills.ts';
import type { SkillStore } from '../../skills/skill-store.ts';
import type { Database } from '../../storage/open-database.ts';
import { route } from '../route.ts';

interface Dependencies {
  contents: () => Contents;
  skills: SkillStore;
  database: Database;
}

export function healthRoutes(router: Router, { contents, skills, database }: Dependencies): void {
  let scanned = false;
  void skills.scanned.then(() => {
    scanned = true;
  });

  route(router, healthApi.health, () => ({ status: 'ok' as const }));

  route(router, healthApi.ready, async () => {
    await checkDatabase(database);
    if (!scanned) {
      throw problem('not-ready', 'The skills are still being read.');
    }
    return {
      status: 'ready' as const,
      skills: countSkills(skills.snapshot, contents().skills),
      database: { kind: 'sqlite' as const, status: 'ok' as const },
      faults: contents().faults.length,
    };
  });

  route(router, healthApi.faults, () => {
    const items = [...contents().faults];
    return { items, total: items.length };
  });
}

async function checkDatabase(database: Database): Promise<void> {
  try {
    await database.selectFrom('users').select('id').limit(1).execute();
  } catch (cause) {
    throw problem('not-ready', 'The database does not answer.', { cause });
  }
}
