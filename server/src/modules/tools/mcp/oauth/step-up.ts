import type { McpAuth } from '../server-session.ts';

const maxScope = 1000;

/**
 * Runs requests to a server. If it demands more scopes (step-up), the auth provider is told, which
 * throws `SignInRequired` if another sign-in would help.
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

/**
 * The scope of the library's error for a 403 with `insufficient_scope`. Detected by name, to avoid
 * loading the library.
 */
function missingScope(error: unknown): string | undefined {
  const isMeant = error instanceof Error && error.constructor.name === 'InsufficientScopeError';
  const scope = isMeant && 'requiredScope' in error ? error.requiredScope : undefined;
  return typeof scope === 'string' && scope.length <= maxScope ? scope : undefined;
}
