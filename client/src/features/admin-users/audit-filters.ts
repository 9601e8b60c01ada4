import { type AuditEntry, type adminApi, auditKinds } from '@knowhow/shared/config/admin';
import { maxQueryLength } from '@knowhow/shared/list';
import { useSearchParams } from 'react-router';
import type { z } from 'zod';

/** The filters of the audit log, as stored in the page's URL. */
export interface AuditFilters {
  query: string;
  kind: AuditEntry['kind'] | undefined;
  /** User ID of the actor. */
  user: string;
  /** Days in the reader's time zone, such as `2026-03-31`; both inclusive. */
  from: string;
  to: string;
}

export function useAuditFilters() {
  const [search, setSearch] = useSearchParams();
  const filters: AuditFilters = {
    query: search.get('query')?.slice(0, maxQueryLength) ?? '',
    kind: auditKinds.find((known) => known === search.get('kind')),
    user: search.get('user') ?? '',
    from: parseDay(search.get('from')),
    to: parseDay(search.get('to')),
  };
  function change(wanted: Partial<AuditFilters>) {
    const said = Object.entries({ ...filters, ...wanted }).filter(([, value]) => value);
    setSearch(new URLSearchParams(said as [string, string][]), { replace: true });
  }
  return { filters, change };
}

/** The query parameters for the server. */
export function toAuditQuery(filters: AuditFilters): Partial<z.input<typeof adminApi.audit.query>> {
  const { query, kind, user, from, to } = filters;
  return {
    ...(query && { query }),
    ...(kind && { kind }),
    ...(user && { user }),
    ...(from && { from: getStartOfDay(from, 0) }),
    ...(to && { to: getStartOfDay(to, 1) }),
  };
}

export function isNarrowed(filters: AuditFilters): boolean {
  return Object.values(filters).some(Boolean);
}

/** A valid calendar day; undefined otherwise. */
function parseDay(text: string | null): string {
  const isDay = text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text);
  return isDay && !Number.isNaN(new Date(`${text}T00:00`).getTime()) ? text : '';
}

/** Start of a local day, plus an offset in days. */
function getStartOfDay(day: string, later: number): string {
  const moment = new Date(`${day}T00:00`);
  moment.setDate(moment.getDate() + later);
  return moment.toISOString();
}

export const kindNames = {
  skill: 'audit.kinds.skill',
  app: 'audit.kinds.app',
  group: 'audit.kinds.group',
  model: 'audit.kinds.model',
  prompt: 'audit.kinds.prompt',
  user: 'audit.kinds.user',
  session: 'audit.kinds.session',
  connection: 'audit.kinds.connection',
  key: 'audit.kinds.key',
  backup: 'audit.kinds.backup',
  tool: 'audit.kinds.tool',
  share: 'audit.kinds.share',
  settings: 'audit.kinds.settings',
  access: 'audit.kinds.access',
  conversation: 'audit.kinds.conversation',
} as const satisfies Record<AuditEntry['kind'], string>;
