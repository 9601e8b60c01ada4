import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** Characters of each of the two texts. */
export const maxInstructions = 1500;

/** Languages that answers can be asked for in, as BCP 47 tags. */
export const answerLanguages = [
  ...['ar', 'bg', 'cs', 'da', 'de', 'el', 'en', 'es', 'et', 'fa', 'fi', 'fr', 'he', 'hi', 'hr'],
  ...['hu', 'id', 'it', 'ja', 'ko', 'lt', 'lv', 'nb', 'nl', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl'],
  ...['sr', 'sv', 'th', 'tr', 'uk', 'vi', 'zh'],
] as const;

const text = z
  .string()
  .max(maxInstructions, `At most ${maxInstructions} characters.`)
  .transform((written) => written.trim());

/** What a user wants of models, in all of their conversations. */
export const preferencesSchema = z.strictObject({
  /** What models should know about them. */
  about: text,
  /** How models should answer. */
  style: text,
  /** Whether these two are sent. */
  isOn: z.boolean(),
  /** In which answers are wanted; null leaves it to the app and the model. */
  language: z.enum(answerLanguages).nullable(),
});
export type Preferences = z.infer<typeof preferencesSchema>;

export const noPreferences: Preferences = { about: '', style: '', isOn: true, language: null };

/** What of it goes with a message; empty where it was taken back. As it is stored. */
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
    summary: 'What the user wants of models, in all of their conversations',
    response: preferencesSchema,
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/account/preferences',
    access: 'user',
    summary: 'Says what the user wants of models, from the next message on',
    body: preferencesSchema,
    response: preferencesSchema,
  }),
};
