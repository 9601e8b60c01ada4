import { noPreferences, type Preferences } from '@knowhow/shared/access/preferences';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { Caller } from '../../access/caller.ts';
import type { Personal } from '../../access/kept-personal.ts';
import { type PromptReader, refuseUnanswered } from './fill-system.ts';

/** Who begins a turn, as far as it matters for what models get. */
export interface PersonalContext {
  preferences: Preferences;
  reader: PromptReader;
}

interface Asking {
  caller: Caller;
  language: string;
  /** Where there is one, a program asks, which says itself what it wants, as does one with somebody's key. */
  program?: unknown;
}

/** Throws `conflict` where the app has to know something first. Without `personal` nothing is known of anybody. */
export async function personIn(
  { caller, language, program }: Asking,
  app: AppConfig,
  personal: Personal | undefined,
): Promise<PersonalContext> {
  const isInPerson = program === undefined && caller.scopes === undefined;
  const kept = caller.anonymous ? undefined : personal;
  const preferences = isInPerson && kept ? await kept.preferencesOf(caller.id) : noPreferences;
  const asks = (app.userVariables ?? []).length > 0;
  const answers = asks && kept ? await kept.answersOf(caller.id, app.id) : {};
  const reader = { name: caller.name, language, answersIn: preferences.language, answers };
  if (personal) {
    refuseUnanswered(app, reader);
  }
  return { preferences, reader };
}
