import { z } from 'zod';
import { lineOf } from '../names.ts';
import { editedTranslationsSchema } from './edited-translations.ts';
import { type EditableField, editableFields } from './skill-fields.ts';

const maxFieldText = 1000;

/** Values of edited fields. An empty one removes the field; words are separated by commas. */
export const fieldTextsSchema = z
  .strictObject({
    ...(Object.fromEntries(
      editableFields.map(({ key }) => [key, lineOf(maxFieldText).optional()]),
    ) as Record<EditableField, z.ZodOptional<z.ZodString>>),
    /** All translations; if omitted, they stay. */
    translations: editedTranslationsSchema.optional(),
  })
  .refine((texts) => Object.keys(texts).length > 0, 'Name a field to change.');
