import type { auditKinds } from '@knowhow/shared/config/admin';
import type { NodeTables } from './node-tables.ts';

/**
 * All tables. Times are ISO 8601 in UTC; JSON columns are text, so that SQLite and PostgreSQL agree.
 * These are the platform's; each module adds its own in its `tables.ts`, by `declare module`.
 */
export interface Schema extends NodeTables {
  /** Secret keys of the installation. Not part of backups. */
  secrets: {
    name: string;
    /** In base64. */
    value: string;
  };
  audit: {
    /** Sorts by time. */
    id: string;
    at: string;
    user_id: string;
    user_name: string;
    action: string;
    kind: (typeof auditKinds)[number];
    target: string;
    /** JSON. */
    before: string | null;
    after: string | null;
  };
}
