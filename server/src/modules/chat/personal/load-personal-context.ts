import { noPreferences, type Preferences } from '@knowhow/shared/access/preferences';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { Caller, PersonalDataStore } from '../../identity/index.ts';
import { assertAnswered, type PromptReader } from './fill-system.ts';

/** Personal data of the user who begins a turn, as far as models get it. */
export interface PersonalContext {
  preferences: Preferences;
  reader: PromptReader;
}

interface Asking {
  caller: Caller;
  language: string;
  /** Set if a program sends the request. Programs and API keys get no personal preferences. */
  program?: unknown;
}

/**
 * Loads preferences and answers of the caller. Throws `conflict` if required variables are unanswered. Without
 * `personal`, nothing is loaded.
 */
export async function loadPersonalContext(
  { caller, language, program }: Asking,
  app: AppConfig,
  personal: PersonalDataStore | undefined,
): Promise<PersonalContext> {
  const isInPerson = program === undefined && caller.scopes === undefined;
  const store = caller.anonymous ? undefined : personal;
  const preferences = isInPerson && store ? await store.preferencesOf(caller.id) : noPreferences;
  const asks = app.userVariables.length > 0;
  const answers = asks && store ? await store.answersOf(caller.id, app.id) : {};
  const reader = { name: caller.name, language, answersIn: preferences.language, answers };
  if (personal) {
    assertAnswered(app, reader);
  }
  return { preferences, reader };
}
