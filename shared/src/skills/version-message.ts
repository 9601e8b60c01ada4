import { z } from 'zod';

/** Maximum length of a version's message, in characters. */
export const maxVersionMessage = 1000;

/** The author's words about a change and its reason. Optional. */
export const versionMessage = z.string().trim().max(maxVersionMessage).optional();
