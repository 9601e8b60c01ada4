import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runCommand } from './run-command.ts';
import { defaultFiles, startTestServer, type TestServer } from './start-test-server.ts';
import { createTestDatabase } from './test-database.ts';
import { type Files, temporaryFolder, writeFiles } from './write-files.ts';

type Options = Parameters<typeof startTestServer>[0];

export interface Nodes {
  /** The shared database. */
  databaseUrl: string;
  /** The shared environment. */
  environment: Record<string, string>;
  /** Starts another node with its own empty folders. */
  start(options?: Options): Promise<TestServer>;
  /** Runs `knowhow push`, `pull` or `restore` with a folder or file. */
  run(
    command: 'push' | 'pull' | 'restore',
    folder: string,
    ...flags: string[]
  ): ReturnType<typeof runCommand>;
}

/**
 * A PostgreSQL database with the contents of a test server, to be shared by servers.
 *
 * @param givenUrl of an existing database; otherwise the test gets its own
 */
export async function createNodes(files: Files = {}, givenUrl?: string): Promise<Nodes> {
  const folder = await temporaryFolder();
  const { databaseUrl = '' } =
    givenUrl === undefined ? await createTestDatabase(folder) : { databaseUrl: givenUrl };
  const environment = {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const installation = () => ({
    contentsDirectory: join(folder, 'copy'),
    dataDirectory: join(folder, 'data'),
    databaseUrl,
    skillsExtraDirectories: [],
    skillsExtraRecursive: [],
    adminPassword: undefined,
    variables: {},
    version: '1.2.3',
  });
  const run: Nodes['run'] = (command, directory, ...flags) =>
    runCommand([command, directory, ...flags], { installation });
  await writeFiles(join(folder, 'contents'), { ...defaultFiles, ...files });
  const pushed = await run('push', join(folder, 'contents'), '--yes');
  if (pushed.code !== 0) {
    throw new Error(pushed.error);
  }
  return {
    databaseUrl,
    environment,
    run,
    start: async (options = {}) => {
      const server = await startTestServer({
        folder: await temporaryFolder(),
        ...options,
        environment: { ...environment, ...options.environment },
      });
      onTestFinished(server.close);
      return server;
    },
  };
}
