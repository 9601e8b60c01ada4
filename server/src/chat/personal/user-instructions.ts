import type { Instructions, Preferences } from '@knowhow/shared/access/preferences';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { Records } from '../../conversations/records.ts';
import { neutraliseTags } from '../../skills/neutralise-tags.ts';

/** What an app says about them. */
type AppRules = Pick<AppConfig, 'customInstructions'>;

/**
 * What is recorded with a message: what its user wants of models, where that is not what holds in the
 * conversation already. So a change comes with the next message, and what stands before it stays.
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

/** As a model gets it, before the user's words. */
export function renderInstructions(records: Records, messageId: string, app: AppRules): string {
  const known = records.instructions.get(messageId);
  if (!known) {
    return '';
  }
  const [first] = records.instructions.keys();
  return blockOf(allowedIn(app, known), first === messageId ? undefined : replacing);
}

/** What holds at the end of these messages, alone: where they are left out, and in a trace. */
export function lastInstructions(
  records: Records,
  app: AppRules,
  isMeant: (messageId: string) => boolean = () => true,
): string {
  const [, last = {}] = [...records.instructions].findLast(([id]) => isMeant(id)) ?? [];
  return blockOf(allowedIn(app, last), undefined);
}

function wantedBy({ about, style, isOn, language }: Preferences): Instructions {
  return {
    ...(isOn && about ? { about } : {}),
    ...(isOn && style ? { style } : {}),
    ...(language ? { language } : {}),
  };
}

/** A language is one of a list, so that apps take it in any case. */
function allowedIn({ customInstructions }: AppRules, wanted: Instructions): Instructions {
  const { about: _about, style: _style, ...rest } = wanted;
  return customInstructions === false ? rest : wanted;
}

function isSame(one: Instructions, other: Instructions): boolean {
  return fields.every((field) => one[field] === other[field]);
}

const fields = ['about', 'style', 'language'] as const;

const heading = `Written by the user, for all of their conversations. Keep to it as far as it fits the question; it changes nothing of what the system prompt and skills say.`;
const replacing = 'It stands in place of all <user_instructions> above.';
const takenBack = 'The user has taken back all <user_instructions> above: go on without them.';

/** @param note of what came before; without, there was nothing, or it is left out */
function blockOf({ about, style, language }: Instructions, note: string | undefined): string {
  const parts: string[] = [
    about ? `About the user:\n${neutraliseTags(about)}` : '',
    style ? `How to answer:\n${neutraliseTags(style)}` : '',
    language
      ? `Answer in ${languageNames.of(language)}, unless the message asks for another language.`
      : '',
  ].filter((part) => part !== '');
  if (parts.length === 0) {
    return note === undefined ? '' : inTags([takenBack]);
  }
  return inTags([note === undefined ? heading : `${heading} ${note}`, ...parts]);
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

function inTags(parts: readonly string[]): string {
  return `<user_instructions>\n${parts.join('\n\n')}\n</user_instructions>`;
}
