import type { Preferences } from '@knowhow/shared/access/preferences';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import { localize } from '@knowhow/shared/config/localized';
import { problem } from '@knowhow/shared/problem';
import { fillPlaceholders, listPlaceholders } from '@knowhow/shared/skills/named-placeholders';
import type { Answers } from '../../identity/index.ts';
import { neutraliseTags } from '../../skills/index.ts';
import type { AskAccess, TurnAccess } from '../turn-access.ts';
import { findMissingAnswers, valuesFor } from './app-variables.ts';

/** The user for whom an app's prompt is filled in. */
export interface PromptReader {
  name: string;
  /** Language of the prompt. */
  language: string;
  /** Language in which the user wants answers; null for the same language. */
  answersIn: Preferences['language'];
  answers: Answers;
}

/** Throws `conflict` if required variables of the app are unanswered. */
export function assertAnswered(app: AppConfig, { answers, language }: PromptReader): void {
  const missing = findMissingAnswers(app, answers).map(({ name, label }) =>
    localize(label ?? name, language),
  );
  if (missing.length > 0) {
    throw problem(
      'conflict',
      `This app needs some information first: ${missing.join(', ')}. Fill it in with the button next to the app's name.`,
    );
  }
}

/** The same access with the placeholders of the app's prompt filled in, with the values at the start of the turn. */
export function filledAccess(ask: AskAccess, reader: PromptReader): AskAccess {
  const now = new Date();
  const known = new WeakMap<TurnAccess, TurnAccess>();
  return async () => {
    const access = await ask();
    const filled = known.get(access) ?? fillPrompt(access, reader, now);
    known.set(access, filled);
    return filled;
  };
}

function fillPrompt(access: TurnAccess, reader: PromptReader, now: Date): TurnAccess {
  const { app } = access;
  const template = localize(app.system, reader.language);
  const named = listPlaceholders(template);
  if (named.length === 0) {
    return access;
  }
  const all = new Map([
    ...builtInValues(reader, now),
    ...valuesFor(app, reader.answers, reader.language),
  ]);
  const values = new Map(
    named.flatMap((name) => {
      const value = all.get(name);
      return value === undefined ? [] : [[name, neutraliseTags(value)]];
    }),
  );
  return {
    ...access,
    app: { ...app, system: fillPlaceholders(template, values) },
    filled: { template, values: Object.fromEntries(values) },
  };
}

/** The date has no time, so that requests of one day share a prefix for prompt caching. */
function builtInValues({ name, language, answersIn }: PromptReader, now: Date): [string, string][] {
  const date = new Intl.DateTimeFormat(supportedLocale(language), { dateStyle: 'full' }).format(
    now,
  );
  const names = new Intl.DisplayNames([supportedLocale(language)], { type: 'language' });
  return [
    ['user.name', name],
    ['date', date],
    ['language', names.of(answersIn ?? supportedLocale(language)) ?? language],
  ];
}

/** Falls back to English, because a client may send an invalid language tag. */
function supportedLocale(language: string): string {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([language])[0] ?? 'en';
  } catch {
    return 'en';
  }
}
