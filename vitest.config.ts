import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes long begins first, the longest before all: else it is alone in the end. */
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
      // A worker ends when the next file is of another project, and all that it imported is lost.
      return projects.indexOf(project) * 1000 + (at < 0 ? longest.length : at);
    };
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}

/** What measures its own process, where the garbage of other files would count. */
const measuring = [
  'analytics-large',
  'conversation-removal',
  'conversation-search',
  'count-tokens',
  'large-history',
  'long-texts',
  'read-archive',
].map((name) => `server/src/**/${name}.test.ts`);

/** What reads the sources of the client needs no page, and would end a worker that has one. */
const clientSources = [
  'client/src/app/{component-length,layers,logical-styles}.test.ts',
  'client/src/i18n/translations.test.ts',
];

/** What kills processes and breaks disks, and what asks for much at once: in `npm test` only. */
const thorough = 'server/src/**/*.{crash,soak}.test.ts';

/** What shows in little time that PostgreSQL does what SQLite does. */
const onPostgres = [
  '{platform/cluster/postgres,modules/content/shared}/*',
  'platform/storage/{audit-log,former-migrations,group-writes,postgres/*}',
  'modules/conversations/conversation-store',
  'modules/identity/tests/{access-audit,api-keys,invitations,quotas,session-cache,user-prompts}',
  'modules/conversations/tests/conversation-{import,branches,search}',
  'modules/conversations/tests/{folders,sharing}',
  'modules/{operations/tests/backup,chat/tests/{chat-turn,turn-statements},skills/tests/skill-uses}',
].map((name) => `server/src/${name}.test.ts`);

/** What is about the files of SQLite, or reads no database. */
const sqliteAlone = [
  'server/src/platform/storage/{open-database,durable-dialect,search-tables}.test.ts',
  'server/src/{architecture,shipped}.test.ts',
];

/** What is about PostgreSQL. */
const postgresAlone = [
  'server/src/{platform/cluster/postgres,modules/content/shared,platform/storage/postgres}/*.test.ts',
];

/** A cluster that is given, or where Debian and its like put what starts one. */
const hasPostgres = process.env.TEST_DATABASE_URL || existsSync('/usr/lib/postgresql');
if (!hasPostgres) {
  console.warn(
    'NOT TESTED on PostgreSQL: neither is its package here, nor is TEST_DATABASE_URL set.',
  );
}

/** What takes too long for `npm run check`: `npm run slow-tests` finds it. */
const slow = JSON.parse(readFileSync(new URL('slow-tests.json', import.meta.url), 'utf8'));

/** Vitest's `--exclude` has no effect on a project that excludes something itself. */
const leftOut = process.env.QUICK ? slow : [];

/** Of what is tried at random: another one at each run, unless it is given. */
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

/** Servers that are started, killed and flooded side by side take their time: limits only end what hangs. */
const patient = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  provide: { ...server.provide, patience: 40_000 },
  expect: { poll: { timeout: 40_000 } },
};

/** How long a search takes depends on the database, so that is measured with both. */
const measuringAlone = measuring.filter((name) => !name.includes('conversation-search'));

/** The server as it is on PostgreSQL: some of it, unless all is wanted. */
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
    // Many tests wait for a process or a disk, so that three of them share two cores well.
    maxWorkers: Math.max(3, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    // What a run has made of the sources is there for the next, and for each of its workers: half the time
    // of a small one. Of a source that has changed it is made again.
    experimental: { fsModuleCache: true },
    globalSetup: ['server/src/testing/remove-folders.ts', 'server/src/testing/bundle-workers.ts'],
    // The files of a worker share what they import: to import it all took longer than most tests.
    // Nothing of ours keeps state where it is imported but the pace of the disk, and each file of the
    // client has a page of its own.
    projects: [
      {
        test: {
          ...server,
          name: 'server',
          include: ['shared/src/**/*.test.ts', 'server/src/**/*.test.ts', ...clientSources],
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
          isolate: false,
          maxWorkers: 6,
        },
      },
      {
        test: {
          ...server,
          name: 'measuring',
          include: measuring,
          // After all others, and no more of them at once than there are processors.
          maxWorkers: 2,
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
