import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** Maximum length of each of the two texts, in characters. */
export const maxInstructions = 1500;

/** Languages for answers, as BCP 47 tags. */
export const answerLanguages = [
  ...['ar', 'bg', 'cs', 'da', 'de', 'el', 'en', 'es', 'et', 'fa', 'fi', 'fr', 'he', 'hi', 'hr'],
  ...['hu', 'id', 'it', 'ja', 'ko', 'lt', 'lv', 'nb', 'nl', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl'],
  ...['sr', 'sv', 'th', 'tr', 'uk', 'vi', 'zh'],
] as const;

const text = z
  .string()
  .max(maxInstructions, `At most ${maxInstructions} characters.`)
  .transform((written) => written.trim());

/** Custom instructions of a user for all conversations. */
export const preferencesSchema = z.strictObject({
  /** Information about the user for models. */
  about: text,
  /** How models should answer. */
  style: text,
  /** Whether these two are sent. */
  isOn: z.boolean(),
  /** Language of answers; null leaves it to the app and the model. */
  language: z.enum(answerLanguages).nullable(),
});
export type Preferences = z.infer<typeof preferencesSchema>;

export const noPreferences: Preferences = { about: '', style: '', isOn: true, language: null };

/** The part that is stored with a message; empty if the instructions were removed. */
export const instructionsSchema = preferencesSchema
  .pick({ about: true, style: true })
  .extend({ language: z.enum(answerLanguages) })
  .partial();
export type Instructions = z.infer<typeof instructionsSchema>;

export const preferencesApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/account/preferences',
    access: 'user',
    summary: 'Custom instructions of the user',
    response: preferencesSchema,
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/account/preferences',
    access: 'user',
    summary: 'Sets the custom instructions, which apply from the next message',
    body: preferencesSchema,
    response: preferencesSchema,
  }),
};
