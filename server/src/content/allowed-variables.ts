import { isSecretValue, isSecretVariable } from './secret-variable.ts';

/** What of the environment placeholders in a configuration file may read. */
export interface ReadableVariables {
  /** Whether placeholders may read a variable of this name, set or not. */
  allows(name: string): boolean;
  /** Undefined for one that is not set, or must not be read. */
  valueOf(name: string): string | undefined;
  /** Why one must not be read and what to do, in sentences. */
  refusal(name: string): string | undefined;
}

/** The same for all of these files. */
export interface AllowedVariables extends ReadableVariables {
  /**
   * For `config/mcp.json`, which no page writes: `MCP_…` besides, whatever they hold, since servers want keys.
   */
  ofServers: ReadableVariables;
}

/** Takes the names that `placeholders` in `config/platform.json` lists. */
export type AllowVariables = (listed: readonly string[]) => AllowedVariables;

/** Names that need not be listed. */
const ours = /^KNOWHOW_/;
/** Names that only the servers of tools may be given. */
const forServers = /^MCP_[A-Z0-9]/;

/**
 * Lets placeholders read `KNOWHOW_…` and what is listed, of an environment that holds much else.
 * Secrets are never read: neither what is called like one nor what looks like one.
 */
export function allowVariables(variables: Record<string, string | undefined>): AllowVariables {
  return (listed) => {
    const names = new Set(listed);
    const allows = (name: string) =>
      (ours.test(name) || names.has(name)) && !isSecretVariable(name);
    const isSafe = (name: string) => !isSecretValue(variables[name] ?? '');
    const readable: ReadableVariables = {
      allows,
      valueOf: (name) => (allows(name) && isSafe(name) ? variables[name] : undefined),
      refusal: (name) => {
        if (isSecretVariable(name)) {
          return secretNameRefusal(name);
        }
        if (!allows(name)) {
          return `${name} may not be read. Whoever runs the server can allow it: add "${name}" to "placeholders" in contents/config/platform.json, or call the variable KNOWHOW_${name}.`;
        }
        return isSafe(name)
          ? undefined
          : `The value of ${name} looks like a secret, and secrets are never filled in.`;
      },
    };
    return { ...readable, ofServers: withServers(readable, variables) };
  };
}

function withServers(
  readable: ReadableVariables,
  variables: Record<string, string | undefined>,
): ReadableVariables {
  return {
    allows: (name) => forServers.test(name) || readable.allows(name),
    valueOf: (name) => (forServers.test(name) ? variables[name] : readable.valueOf(name)),
    refusal: (name) => {
      if (forServers.test(name) || readable.refusal(name) === undefined) {
        return undefined;
      }
      return `${name} may not be read here. What a server needs is in a variable whose name begins with MCP_: call it MCP_${name}.`;
    },
  };
}

export function secretNameRefusal(name: string): string {
  return `${name} is called like a secret, and secrets are never filled in. Give what is none another name.`;
}
