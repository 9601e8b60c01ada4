import type { Kysely } from 'kysely';
import { isPostgres } from './is-postgres.ts';
import { postgresTexts } from './postgres/postgres-texts.ts';
import type { SearchedTexts } from './searched-texts.ts';
import { sqliteTexts } from './sqlite-texts.ts';

export function getSearchedTexts<Tables>(database: Kysely<Tables>): SearchedTexts {
  return isPostgres(database) ? postgresTexts : sqliteTexts;
}
