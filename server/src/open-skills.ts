import { join } from 'node:path';
import type { ContentStore } from './content/content-store.ts';
import type { Environment } from './env.ts';
import type { Log } from './lib/log.ts';
import { logFailure } from './lib/log-failure.ts';
import { describeBroken } from './skills/describe-broken.ts';
import { createSkillHistory, type SkillHistory } from './skills/skill-history.ts';
import { skillSources } from './skills/skill-source.ts';
import { openSkillStore, type SkillStore } from './skills/skill-store.ts';
import { createSkillWriter, type SkillWriter } from './skills/skill-writer.ts';
import type { Database } from './storage/open-database.ts';

/** Why the server does not start, for the operator to read. */
export class StartProblem extends Error {}

export interface OpenSkills {
  skills: SkillStore;
  writer: SkillWriter;
  history: SkillHistory;
  /** The folder of local skills, as the configuration has it now. */
  skillsDirectory: () => string;
  /** To be called when the configuration has changed. */
  followSources: () => void;
}

interface Dependencies {
  content: ContentStore;
  database: Database;
  log: Log;
}

/** Opens the skills to read and to write, when what a crash has left is put in order. */
export async function openSkills(
  environment: Environment,
  { content, database, log }: Dependencies,
): Promise<OpenSkills> {
  const { contentsDirectory, skillsExtraDirectories, dataDirectory, skillsStrict } = environment;
  const sources = () =>
    skillSources(content.current.skills, contentsDirectory, skillsExtraDirectories);
  const skillsDirectory = () => sources().find(({ kind }) => kind === 'local')?.directory ?? '';
  const writer = createSkillWriter({ directory: skillsDirectory });
  const history = createSkillHistory({ database, directory: join(dataDirectory, 'history') });
  await tidyUp([writer.recover(), history.recover()], log);
  const skills = openSkillStore(sources());
  if (skillsStrict) {
    await refuseBroken(skills);
  }
  const followSources = () => skills.setSources(sources());
  const record = logFailure(history.record, log, 'a state of a skill is not in the history');
  return { skills, writer, history: { ...history, record }, skillsDirectory, followSources };
}

/** What a crash has left can stay where it is when the disk cannot be written. */
async function tidyUp(work: Promise<void>[], log: Log): Promise<void> {
  for (const done of await Promise.allSettled(work)) {
    if (done.status === 'rejected') {
      log.warn({ error: done.reason }, 'what an earlier stop has left could not be tidied up');
    }
  }
}

/** With `SKILLS_STRICT`, a skill that cannot be offered stops the start. */
async function refuseBroken(skills: SkillStore): Promise<void> {
  await skills.scanned;
  const broken = describeBroken(skills.snapshot);
  if (broken.length > 0) {
    skills.close();
    throw new StartProblem(['SKILLS_STRICT is set, and skills are broken:', ...broken].join('\n'));
  }
}
