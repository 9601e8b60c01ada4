import { z } from 'zod';

/** A text of an answer under its name of the release before, which is answered for one release more. */
export function deprecatedAlias(name: string) {
  return z
    .string()
    .optional()
    .meta({ deprecated: true, description: `Former name of \`${name}\`` });
}
