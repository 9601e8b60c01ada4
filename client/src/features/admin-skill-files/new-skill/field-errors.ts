import { Problem } from '@knowhow/shared/problem';

export type Field = 'name' | 'description' | 'tags' | 'body';

/** A refusal, as far as it is about a field; undefined when it is not. */
export function fieldError(error: unknown): { field: Field; message: string } | undefined {
  if (!(error instanceof Problem)) {
    return undefined;
  }
  if (error.code === 'name-taken') {
    return { field: 'name', message: error.message };
  }
  const [issue] = error.issues ?? [];
  const field = issue && fields.find((known) => isAbout(known, issue));
  return field && issue ? { field, message: issue.message } : undefined;
}

const fields = ['name', 'description', 'tags', 'body'] as const satisfies Field[];

/** The server speaks of a field of the request, or by a diagnostic on the `SKILL.md` made of it. */
function isAbout(field: Field, { path, code }: { path: string; code: string }): boolean {
  return path === field || code.startsWith(`${field}-`);
}
