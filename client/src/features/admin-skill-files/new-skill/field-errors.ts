import { Problem } from '@knowhow/shared/problem';

export type Field = 'name' | 'description' | 'tags' | 'body';

/**
 * The field and text of a refusal; undefined if it is about no field.
 *
 * @param nameTaken the text for a name that is taken
 */
export function fieldError(
  error: unknown,
  nameTaken: string,
): { field: Field; message: string } | undefined {
  if (!(error instanceof Problem)) {
    return undefined;
  }
  if (error.code === 'name-taken') {
    return { field: 'name', message: nameTaken };
  }
  const [issue] = error.issues ?? [];
  const field = issue && fields.find((known) => concernsField(known, issue));
  return field && issue ? { field, message: issue.message } : undefined;
}

const fields = ['name', 'description', 'tags', 'body'] as const satisfies Field[];

/** The server names a request field, or sends a diagnostic on the generated `SKILL.md`. */
function concernsField(field: Field, { path, code }: { path: string; code: string }): boolean {
  return path === field || code.startsWith(`${field}-`);
}
