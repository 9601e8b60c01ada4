import { problem } from '@knowhow/shared/problem';
import prototypes from 'unhomoglyph/data.json' with { type: 'json' };
import type { Database } from '../../platform/storage/open-database.ts';

/** Each confusable character with what it looks like (`confusables.txt` of Unicode). */
const lookalikes: ReadonlyMap<string, string> = new Map(Object.entries(prototypes));

/**
 * Returns the shape of a text. Texts with the same skeleton can be mistaken for each other (Unicode Technical
 * Standard 39, section 4). Not for people to read: `m` becomes `rn`.
 */
function skeletonOf(text: string): string {
  const parts = [...text.normalize('NFD')].map((letter) => lookalikes.get(letter) ?? letter);
  return parts.join('').normalize('NFD').toLowerCase();
}

/** Scripts in common use: Unicode Standard Annex 31, table 5. */
const recommendedScripts = [
  ...[
    'Arabic',
    'Armenian',
    'Bengali',
    'Bopomofo',
    'Cyrillic',
    'Devanagari',
    'Ethiopic',
    'Georgian',
  ],
  ...[
    'Greek',
    'Gujarati',
    'Gurmukhi',
    'Hangul',
    'Han',
    'Hebrew',
    'Hiragana',
    'Kannada',
    'Katakana',
  ],
  ...['Khmer', 'Lao', 'Latin', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu'],
  ...['Thaana', 'Thai', 'Tibetan'],
];
/** Scripts that are written together: "Highly Restrictive" in Unicode Technical Standard 39. */
const scriptCombinations = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];
const allowedScripts = [...recommendedScripts.map((script) => [script]), ...scriptCombinations].map(
  (scripts) => {
    const classes = ['Common', 'Inherited', ...scripts].map((name) => `\\p{scx=${name}}`);
    return new RegExp(`^[${classes.join('')}]*$`, 'u');
  },
);

/** Letters with their marks, digits, and the signs of ASCII. A mark needs a letter before it. */
const allowedCharacters = /^(?!\p{M})[\p{L}\p{M}\p{Nd} -~\u00b7\u2019]+$/u;
const invisible = /\p{Default_Ignorable_Code_Point}/u;
const hasLetterOrDigit = /[\p{L}\p{Nd}]/u;
const maxLength = 200;
const batchSize = 5000;

/** The form in which a username is stored and compared: NFKC, lower case. */
export function normalizeUsername(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}

/** Why a normalized username could imitate another or be invisible; undefined if it is fine. */
export function usernameFault(username: string): string | undefined {
  const isPlain = allowedCharacters.test(username) && !invisible.test(username);
  if (!isPlain || !hasLetterOrDigit.test(username)) {
    return 'A username consists of visible letters, digits and signs such as . _ - @.';
  }
  if (!allowedScripts.some((scripts) => scripts.test(username))) {
    return 'A username is written in one script: Latin and Cyrillic letters, for example, are not mixed.';
  }
  return username.length > maxLength
    ? `A username has at most ${maxLength} characters.`
    : undefined;
}

/** Whether two usernames look the same: Unicode Technical Standard 39, section 4. */
export function looksLike(one: string, other: string): boolean {
  return skeletonOf(one) === skeletonOf(other);
}

/** An existing username that looks like this one, or is the same. Reads all of them, in batches. */
export async function findLookalike(
  database: Database,
  username: string,
): Promise<string | undefined> {
  const skeleton = skeletonOf(username);
  for (let after = ''; ; ) {
    const rows = await database
      .selectFrom('users')
      .select('username')
      .where('username', '>', after)
      .orderBy('username')
      .limit(batchSize)
      .execute();
    const found = rows.find((row) => skeletonOf(row.username) === skeleton);
    const last = rows.at(-1);
    if (found || !last || rows.length < batchSize) {
      return found?.username;
    }
    after = last.username;
  }
}

/** Throws for a username that is taken or could be mistaken for another. */
export async function checkUsername(database: Database, username: string): Promise<void> {
  const message = usernameFault(username);
  if (message !== undefined) {
    throw problem('invalid-request', `username: ${message}`, {
      issues: [{ path: 'username', code: 'username', message }],
    });
  }
  const other = await findLookalike(database, username);
  if (other === username) {
    throw problem('name-taken', `There is a user "${username}" already. Choose another username.`);
  }
  if (other !== undefined) {
    throw problem(
      'name-taken',
      `The username "${username}" looks like that of another user. Choose another username.`,
    );
  }
}
