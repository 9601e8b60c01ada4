import { z } from 'zod';
import { itemIdSchema } from '../config/item-id.ts';
import { endpoint } from '../endpoint.ts';
import { withoutHiddenCharacters } from '../names.ts';
import { canonicalTag, maxDescriptionLength, maxTitleLength } from './edited-translations.ts';

const text = (most: number) => z.string().max(most).overwrite(withoutHiddenCharacters).trim();

/** Translations of the texts of a skill that a model suggests. Nothing is stored. */
export const skillTranslationApi = {
  suggest: endpoint({
    access: 'user',
    summary: 'Has a model translate the title and description of a skill. Counts as a turn',
    method: 'POST',
    path: '/api/skill-translation',
    body: z
      .strictObject({
        model: itemIdSchema,
        /** The language of the translation. */
        language: z
          .string()
          .max(35)
          .refine(
            (written) => canonicalTag(written) === written,
            'Write a language tag such as de or pt-BR.',
          ),
        /** Omitted if it needs no translation. */
        title: text(maxTitleLength).optional(),
        description: text(maxDescriptionLength).optional(),
      })
      .refine(({ title, description }) => title || description, 'Send a title or a description.'),
    response: z.object({ title: z.string().optional(), description: z.string().optional() }),
  }),
};
