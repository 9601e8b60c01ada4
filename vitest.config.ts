import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Start first, in this order: otherwise a long test would run alone at the end. */
const longest = [
  'app.crash',
  'context-window-openai.soak',
  'context-window-others.soak',
  'faults.crash',
  'backup-faults.crash',
  'deletion-races.soak',
  'main.crash',
  'restore.crash',
  'supervise.crash',
  'sign-in.soak',
  'turn-ends',
  'skill-writer.crash',
  'prompt-item',
  'skill-list',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const rank = ({ moduleId, project }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.includes(`/${name}.test.ts`));
      // A worker ends when the next file is of another project, and imports everything again.
      return projects.indexOf(project) * 1000 + (at < 0 ? longest.length : at);
    };
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}

/** Tests that measure their own process, where other files' garbage would count. */
const measuring = [
  'analytics-large',
  'conversation-removal',
  'conversation-search',
  'count-tokens',
  'large-history',
  'long-texts',
  'name-finder',
  'parse-any-bytes',
  'read-archive',
  'skill-index',
  'trigger-pauses',
].map((name) => `{server,packages/skill-format}/src/**/${name}.test.ts`);

/** Tests that read the client's sources. They need no page, and would end a worker that has one. */
const clientSources = [
  'client/src/app/{component-length,layers,logical-styles}.test.ts',
  'client/src/i18n/translations.test.ts',
];

/** Tests that kill processes, break disks or flood the server: `npm run test:thorough` only. */
const thorough = 'server/src/**/*.{crash,soak}.test.ts';

/** Crash and soak tests that fail while others flood the machine: they run one at a time, after the others. */
const thoroughAlone = 'server/src/**/{many-servers,mcp-flood,backup-large}.soak.test.ts';

/** Show in little time that PostgreSQL behaves like SQLite: `npm run test:thorough` only. */
const onPostgres = [
  '{platform/cluster/postgres,modules/content/shared}/*',
  'platform/storage/{audit-log,former-migrations,group-writes,postgres/*}',
  'modules/admin/tests/{my-skills,shared-skills,skill-owners,skill-reviews,skill-source-hooks,stored-categories}',
  'modules/conversations/conversation-store',
  'modules/identity/tests/{access-audit,api-keys,invitations,quotas,session-cache,user-prompts}',
  'modules/conversations/tests/conversation-{import,branches,search}',
  'modules/conversations/tests/{folders,sharing}',
  'modules/{operations/tests/backup,chat/tests/{chat-turn,turn-statements},skills/{tests/inbox,tests/skill-uses,tests/skill-versions,tests/used-versions,versions/*}}',
].map((name) => `server/src/${name}.test.ts`);

/** Tests of SQLite's files, and tests that read no database. */
const sqliteAlone = [
  'server/src/platform/storage/{open-database,durable-dialect,search-tables}.test.ts',
  'server/src/{architecture,shipped}.test.ts',
];

/** Tests of PostgreSQL. */
const postgresAlone = [
  'server/src/{platform/cluster/postgres,modules/content/shared,platform/storage/postgres}/*.test.ts',
];

/** A given cluster, or Debian's package that starts one. */
const hasPostgres = process.env.TEST_DATABASE_URL || existsSync('/usr/lib/postgresql');
if (!hasPostgres) {
  console.warn(
    'NOT TESTED on PostgreSQL: its package is not installed, and TEST_DATABASE_URL is not set.',
  );
}

/**
 * Files that `npm run check` leaves out: slow ones, which `npm run slow-tests` finds, except those that were edited
 * since the last commit. Vitest's `--exclude` has no effect on a project that excludes something itself.
 */
function listLeftOut(): string[] {
  const slow: string[] = JSON.parse(
    readFileSync(new URL('slow-tests.json', import.meta.url), 'utf8'),
  );
  // Empty outside of a git checkout.
  const { stdout } = spawnSync('git', ['status', '--porcelain', '-uall'], { encoding: 'utf8' });
  return slow.filter((path) => !(stdout ?? '').includes(` ${path}\n`));
}

const leftOut = process.env.QUICK ? listLeftOut() : [];

/** Seed of random tests: different in each run, unless it is given. */
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

const server = {
  environment: 'node',
  testTimeout: 20_000,
  hookTimeout: 60_000,
  setupFiles: ['server/src/testing/refuse-warnings.ts', 'server/src/testing/seed-fast-check.ts'],
  provide: {
    crashes: Number(process.env.CRASHES ?? 64),
    talks: Number(process.env.TALKS ?? 24),
    nodeKills: Number(process.env.NODE_KILLS ?? 3),
    sharedWrites: Number(process.env.SHARED_WRITES ?? 30),
    fitsAll: process.env.FITTING === 'all',
    seed,
    postgres: '',
    patience: 10_000,
  },
  expect: { poll: { timeout: 10_000 } },
};

/** Servers that are killed and flooded in parallel are slow: these limits only end what hangs. */
const patient = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  provide: { ...server.provide, patience: 40_000 },
  expect: { poll: { timeout: 40_000 } },
};

/** The duration of a search depends on the database, so it is measured on both. */
const measuringAlone = measuring.filter((name) => !name.includes('conversation-search'));

/** Server tests on PostgreSQL: some of them, unless all are requested. */
const postgres = {
  test: {
    ...server,
    name: 'postgres',
    include: process.env.POSTGRES === 'all' ? ['server/src/**/*.test.ts'] : onPostgres,
    exclude: [...measuringAlone, thorough, ...sqliteAlone],
    provide: { ...server.provide, postgres: process.env.TEST_DATABASE_URL ?? '' },
    globalSetup: 'server/src/testing/start-postgres.ts',
    isolate: false,
  },
};

export default defineConfig({
  test: {
    // Many tests wait for a process or a disk: three workers share two cores well.
    maxWorkers: Math.max(3, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    // Caches transformed sources for later runs and other workers, which halves the time of a small run.
    experimental: { fsModuleCache: true },
    globalSetup: ['server/src/testing/remove-folders.ts', 'server/src/testing/bundle-workers.ts'],
    // The files of a worker share their imports, which take longer than most tests. Our modules keep no
    // state except the pace of the disk, and each file of the client has its own page.
    projects: [
      {
        test: {
          ...server,
          name: 'server',
          include: ['{shared,server,packages/skill-format}/src/**/*.test.ts', ...clientSources],
          exclude: [...measuring, thorough, ...postgresAlone, ...leftOut],
          isolate: false,
        },
      },
      ...(hasPostgres ? [postgres] : []),
      {
        test: {
          ...server,
          ...patient,
          name: 'thorough',
          include: [thorough],
          exclude: [thoroughAlone],
          isolate: false,
          maxWorkers: 6,
        },
      },
      {
        test: {
          ...server,
          ...patient,
          name: 'thorough-alone',
          include: [thoroughAlone],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...server,
          name: 'measuring',
          include: measuring,
          // After all others, one at a time: two threads of one core make each other slower.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'client',
          include: ['client/src/**/*.test.{ts,tsx}'],
          exclude: [...clientSources, ...leftOut],
          environment: 'jsdom',
          isolate: false,
          testTimeout: 20_000,
          hookTimeout: 60_000,
          setupFiles: [
            'server/src/testing/refuse-warnings.ts',
            'client/src/testing/wait-longer.ts',
          ],
          expect: { poll: { timeout: 8000 } },
        },
      },
    ],
  },
});
