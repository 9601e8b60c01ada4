import type { TestProject } from 'vitest/node';
import { openDatabase } from '../platform/storage/open-database.ts';
import { tables } from '../tables.ts';
import { execute, runPostgres } from './run-postgres.ts';
import { nameMark, templateName } from './test-database.ts';

/**
 * Vitest global setup for PostgreSQL: starts a cluster in a temporary folder unless one is given,
 * and creates the template of test databases. Returns the teardown.
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
  const template = { dataDirectory: '', databaseUrl: urlOf(templateName) };
  await (await openDatabase(template, tables.migrations)).destroy();
  return async () => {
    await removeDatabases(urlOf('postgres'));
    await cluster.stop();
  };
}

/** Databases of this run, or of a killed one. */
async function removeDatabases(url: string): Promise<void> {
  const { rows } = await execute(
    url,
    `select datname as name from pg_database where datname like 'knowhow\\_%'`,
  );
  for (const { name } of rows) {
    await execute(url, `drop database ${name} with (force)`);
  }
}
