import { z } from 'zod';

/**
 * The id of an app, model, prompt or group. Also its file name, so letters, digits, `.`, `_`, `-`.
 */
export const itemIdSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
    'An id has letters, digits, dots, dashes and underscores.',
  );
