import { z } from 'zod';

/** Maximum length of a version's message, in characters. */
export const maxVersionMessage = 1000;

/** What was changed, and why, in the words of the author. Optional. */
export const versionMessage = z.string().trim().max(maxVersionMessage).optional();
