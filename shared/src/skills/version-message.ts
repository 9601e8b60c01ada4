import { z } from 'zod';
import { withoutHiddenCharacters } from '../names.ts';

/** Maximum length of a version's message, in characters. */
export const maxVersionMessage = 1000;

/** Words about a change, such as its reason or a comment. Characters that cannot be seen are removed. */
export const versionWords = z
  .string()
  .overwrite(withoutHiddenCharacters)
  .trim()
  .max(maxVersionMessage);

/** The author's words about a change and its reason. */
export const versionMessage = versionWords.optional();
