import type { McpAuth } from '../server-session.ts';

const maxScope = 1000;

/**
 * Makes requests to a server. Where it wants more rights for one than were given, that is handed to whoever
 * signs in, who throws `SignInRequired` if another sign-in would help.
 */
export async function withStepUp<Result>(
  auth: McpAuth | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const scope = missingScope(error);
    if (scope !== undefined && auth && 'askForMore' in auth) {
      await auth.askForMore?.(scope);
    }
    throw error;
  }
}

/** The library's error for a 403 with `insufficient_scope`, by name: it is not loaded for this. */
function missingScope(error: unknown): string | undefined {
  const isMeant = error instanceof Error && error.constructor.name === 'InsufficientScopeError';
  const scope = isMeant && 'requiredScope' in error ? error.requiredScope : undefined;
  return typeof scope === 'string' && scope.length <= maxScope ? scope : undefined;
}
