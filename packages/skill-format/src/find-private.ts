import { findSecretTexts } from './find-secrets.ts';

/** Words that are probably private. */
export interface PrivateWords {
  kind: 'secret' | 'email' | 'phone' | 'address';
  text: string;
}

/** Linear: all repetitions are bounded, and none is nested. */
const patterns: readonly { kind: PrivateWords['kind']; pattern: RegExp }[] = [
  {
    kind: 'secret',
    pattern:
      /(?:password|passwort|kennwort|passcode|mot de passe|contraseña|パスワード|\bpin)(?:[ \t]{0,3}[:=]|[ \t]{1,3}(?:is|ist|lautet|est|es)[ \t]{0,3}:?|は)[ \t]{0,3}["'“„«]?([^\s"'”“»]{4,100})/giu,
  },
  { kind: 'email', pattern: /([\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,190}\.\p{L}{2,24})/gu },
  {
    kind: 'phone',
    pattern: /(?<![\p{L}\p{N}-])(?!\d{4}-\d\d-\d\d)(\+?\d[\d ()/.-]{7,20}\d)(?![\p{L}\p{N}])/gu,
  },
  {
    kind: 'address',
    pattern:
      /(\p{Lu}[\p{L}.-]{1,40}(?:straße|strasse|str\.|weg|platz|gasse|allee)[ \t]\d{1,4}[a-z]?|\d{1,5}[ \t]\p{Lu}[\p{L}.-]{1,40}[ \t](?:Street|St\.|Avenue|Ave\.|Road|Rd\.|Lane|Drive)|(?:rue|avenue|calle|avenida)[ \t][\p{L}\p{N} .'-]{3,60}\d{0,4})/gu,
  },
];

/** Maximum number of distinct words. */
const maxFound = 100;

/** Secrets, e-mail addresses, telephone numbers and street addresses in a text, each once. */
export function findPrivateWords(text: string): PrivateWords[] {
  const found = new Map<string, PrivateWords>();
  const add = (kind: PrivateWords['kind'], words: string) => {
    if (words !== '' && !found.has(words) && found.size < maxFound) {
      found.set(words, { kind, text: words });
    }
  };
  for (const secret of findSecretTexts(text)) {
    add('secret', secret);
  }
  for (const { kind, pattern } of patterns) {
    for (const { 1: words = '' } of text.matchAll(pattern)) {
      if (kind !== 'phone' || countDigits(words) >= minDigits) {
        add(kind, words);
      }
    }
  }
  return [...found.values()];
}

/** Shorter numbers are years, amounts or times. */
const minDigits = 9;

function countDigits(text: string): number {
  return text.replace(/\D/g, '').length;
}
