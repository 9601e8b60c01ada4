import type { Preferences } from '@knowhow/shared/access/preferences';
import type { Database } from '../storage/open-database.ts';
import { type Answers, answersOf } from './app-answers.ts';
import { preferencesOf } from './preferences.ts';

/** Personal data that is loaded for each turn. */
export interface Personal {
  preferencesOf(userId: string): Promise<Preferences>;
  answersOf(userId: string, appId: string): Promise<Answers>;
}

export function keptPersonal(database: Database): Personal {
  return {
    preferencesOf: (userId) => preferencesOf(database, userId),
    answersOf: (userId, appId) => answersOf(database, userId, appId),
  };
}
