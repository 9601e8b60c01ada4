import type { Preferences } from '@knowhow/shared/access/preferences';
import type { Database } from '../../platform/storage/open-database.ts';
import { type Answers, getAppAnswers } from './app-answers.ts';
import { getPreferences } from './preferences.ts';

/** Personal data that is loaded for each turn. */
export interface PersonalDataStore {
  preferencesOf(userId: string): Promise<Preferences>;
  answersOf(userId: string, appId: string): Promise<Answers>;
}

export function createPersonalDataStore(database: Database): PersonalDataStore {
  return {
    preferencesOf: (userId) => getPreferences(database, userId),
    answersOf: (userId, appId) => getAppAnswers(database, userId, appId),
  };
}
