import { isSecretValue, isSecretVariable } from './secret-variable.ts';

/** Environment variables that placeholders in a configuration file may read (allowlist). */
export interface ReadableVariables {
  /** Whether placeholders may read a variable of this name, set or not. */
  allows(name: string): boolean;
  /** Undefined if it is not set or must not be read. */
  valueOf(name: string): string | undefined;
  /** Why a variable must not be read and what to do; undefined if it may be read. */
  refusal(name: string): string | undefined;
}

/** The same for all configuration files. */
export interface AllowedVariables extends ReadableVariables {
  /** For `config/mcp.json`, which no admin page writes: additionally all of `MCP_…`, because servers need keys. */
  ofServers: ReadableVariables;
}

/** Takes the names listed under `placeholders` in `config/platform.json`. */
export type AllowVariables = (listed: readonly string[]) => AllowedVariables;

/** Names that need not be listed. */
const alwaysAllowed = /^KNOWHOW_/;
/** Names that are reserved for tool servers. */
const forServers = /^MCP_[A-Z0-9]/;

/**
 * Lets placeholders read `KNOWHOW_…` and the listed variables. Secrets are never read, whether detected by name or by
 * value.
 */
export function allowVariables(variables: Record<string, string | undefined>): AllowVariables {
  return (listed) => {
    const names = new Set(listed);
    const allows = (name: string) =>
      (alwaysAllowed.test(name) || names.has(name)) && !isSecretVariable(name);
    const isSafe = (name: string) => !isSecretValue(variables[name] ?? '');
    const readable: ReadableVariables = {
      allows,
      valueOf: (name) => (allows(name) && isSafe(name) ? variables[name] : undefined),
      refusal: (name) => {
        if (isSecretVariable(name)) {
          return secretNameRefusal(name);
        }
        if (!allows(name)) {
          return `${name} may not be read. The server's operator can allow it: add "${name}" to "placeholders" in contents/config/platform.json, or call the variable KNOWHOW_${name}.`;
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
