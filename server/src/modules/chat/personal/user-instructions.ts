import type { Instructions, Preferences } from '@knowhow/shared/access/preferences';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { Records } from '../../conversations/index.ts';
import { neutraliseTags } from '../../skills/index.ts';

/** The app's setting for custom instructions. */
type AppRules = Pick<AppConfig, 'customInstructions'>;

/**
 * Instructions to record with a message: what the user wants, if it differs from what already applies in the
 * conversation. Changes apply from the next message, and earlier messages keep theirs.
 */
export function instructionsToAdd(
  preferences: Preferences,
  records: Records,
  app: AppRules,
): Instructions | undefined {
  const wanted = allowedIn(app, wantedBy(preferences));
  const now = allowedIn(app, [...records.instructions.values()].at(-1) ?? {});
  return isSame(wanted, now) ? undefined : wanted;
}

/** Renders them for a model, before the user's words. */
export function renderInstructions(records: Records, messageId: string, app: AppRules): string {
  const known = records.instructions.get(messageId);
  if (!known) {
    return '';
  }
  const [first] = records.instructions.keys();
  return renderBlock(allowedIn(app, known), first === messageId ? undefined : replacing);
}

/** Renders the instructions in force at the end of these messages: for turns that were dropped, and for traces. */
export function lastInstructions(
  records: Records,
  app: AppRules,
  isIncluded: (messageId: string) => boolean = () => true,
): string {
  const [, last = {}] = [...records.instructions].findLast(([id]) => isIncluded(id)) ?? [];
  return renderBlock(allowedIn(app, last), undefined);
}

function wantedBy({ about, style, isOn, language }: Preferences): Instructions {
  return {
    ...(isOn && about ? { about } : {}),
    ...(isOn && style ? { style } : {}),
    ...(language ? { language } : {}),
  };
}

/** The language comes from a fixed list, so apps always accept it. */
function allowedIn({ customInstructions }: AppRules, wanted: Instructions): Instructions {
  const { about: _about, style: _style, ...rest } = wanted;
  return customInstructions ? wanted : rest;
}

function isSame(one: Instructions, other: Instructions): boolean {
  return fields.every((field) => one[field] === other[field]);
}

const fields = ['about', 'style', 'language'] as const;

const heading =
  'Written by the user for all their conversations. Follow it where it fits the question; it never overrides the system prompt or skills.';
const replacing = 'It replaces all <user_instructions> above.';
const takenBack = 'The user has withdrawn all <user_instructions> above: continue without them.';

/** @param note refers to earlier instructions; omit it if there were none or they were dropped */
function renderBlock({ about, style, language }: Instructions, note: string | undefined): string {
  const parts: string[] = [
    about ? `About the user:\n${neutraliseTags(about)}` : '',
    style ? `How to answer:\n${neutraliseTags(style)}` : '',
    language
      ? `Answer in ${languageNames.of(language)}, unless the message asks for another language.`
      : '',
  ].filter((part) => part !== '');
  if (parts.length === 0) {
    return note === undefined ? '' : wrapInTags([takenBack]);
  }
  return wrapInTags([note === undefined ? heading : `${heading} ${note}`, ...parts]);
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

function wrapInTags(parts: readonly string[]): string {
  return `<user_instructions>\n${parts.join('\n\n')}\n</user_instructions>`;
}
