import { z } from 'zod';

/** The deprecated name of a response field, which is returned for one more release. */
export function deprecatedAlias(name: string) {
  return z
    .string()
    .optional()
    .meta({ deprecated: true, description: `Former name of \`${name}\`` });
}
