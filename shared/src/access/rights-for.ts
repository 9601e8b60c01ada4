import { api } from '../api.ts';
import type { AnyEndpoint } from '../endpoint.ts';
import { requiredPermissions } from '../required-permissions.ts';
import type { AdminRight, AnyScope } from './admin-rights.ts';

type Rights = readonly (AdminRight | AnyScope)[];

/**
 * The rights that allow an administrator to call an endpoint: one is enough. If empty, all rights
 * are required.
 */
export function rightsFor(endpoint: AnyEndpoint): Rights {
  return table.get(endpoint) ?? [];
}

const table: ReadonlyMap<AnyEndpoint, Rights> = new Map(
  Object.entries<Record<string, AnyEndpoint>>(api).flatMap(([area, endpoints]) =>
    Object.entries(endpoints).map(([name, endpoint]) => [endpoint, named(area, name)] as const),
  ),
);

function named(area: string, name: string): Rights {
  const areas: Record<string, Rights | Record<string, Rights>> = requiredPermissions;
  const rights = areas[area] ?? [];
  return isWhole(rights) ? rights : (rights[name] ?? []);
}

function isWhole(rights: Rights | Record<string, Rights>): rights is Rights {
  return Array.isArray(rights);
}
