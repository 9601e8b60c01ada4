import type { TestProject } from 'vitest/node';
import { openDatabase } from '../storage/open-database.ts';
import { execute, runPostgres } from './run-postgres.ts';
import { nameMark, templateName } from './test-database.ts';

/**
 * For Vitest, before all tests on PostgreSQL: starts a cluster in a temporary folder, unless one is given, and makes the database that those of tests are copies of. Answers what ends it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = project.config.provide.postgres;
  const cluster = given ? { url: given, stop: async () => undefined } : await runPostgres();
  const address = new URL(cluster.url);
  address.pathname = `/${nameMark}`;
  project.provide('postgres', address.href);
  const urlOf = (name: string) => address.href.replace(nameMark, name);
  await removeDatabases(urlOf('postgres'));
  await execute(urlOf('postgres'), `create database ${templateName}`);
  await (await openDatabase({ dataDirectory: '', databaseUrl: urlOf(templateName) })).destroy();
  return async () => {
    await removeDatabases(urlOf('postgres'));
    await cluster.stop();
  };
}

/** Of this run, or of one that was killed. */
async function removeDatabases(url: string): Promise<void> {
  const { rows } = await execute(
    url,
    `select datname as name from pg_database where datname like 'knowhow\\_%'`,
  );
  for (const { name } of rows) {
    await execute(url, `drop database ${name} with (force)`);
  }
}
