import {
  maxVersionsReported,
  type ReportQuery,
  type VersionReport,
  type VersionUse,
} from '@knowhow/shared/config/analytics';
import type { LongReads } from '../../../platform/storage/long-reads.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import { resolveRange } from './date-range.ts';
import { versionQueries } from './query-facts.ts';

interface ReportSources {
  database: Database;
  longReads: LongReads;
  /** Retention of metrics in days. */
  days: number;
}

/**
 * Usage of each version of a skill in a date range, newest version first. Uses of an unknown version come last: of
 * files without a version, and from before versions were recorded.
 */
export async function versionReport(
  { skill, ...query }: ReportQuery & { skill: string },
  { database, longReads, days }: ReportSources,
): Promise<VersionReport> {
  const range = resolveRange(query, Date.now());
  const rows = await longReads.read(versionQueries(database, { ...query, ...range }, skill));
  const uses = new Map<number | null, VersionUse>();
  const getUse = (version: number | null): VersionUse => {
    const known = uses.get(version) ?? createUse(version);
    uses.set(version, known);
    return known;
  };
  for (const { version, answers } of rows.uses) {
    getUse(version).answers = answers;
  }
  for (const { version, event, times } of rows.events) {
    const use = getUse(version);
    if (event === 'activated') {
      use.activations = times;
    } else if (event === 'refused' || event === 'limited') {
      use[event] = times;
    }
  }
  for (const { version, currency, amount } of rows.costs) {
    getUse(version).costs.push({ currency: currency ?? '', amount: amount ?? 0 });
  }
  for (const { version, value, times } of rows.thumbs) {
    getUse(version).thumbs[value] = times;
  }
  const versions = [...uses.values()].sort(
    (one, other) => (other.version ?? 0) - (one.version ?? 0),
  );
  return { days, ...range, versions: versions.slice(0, maxVersionsReported) };
}

function createUse(version: number | null): VersionUse {
  return {
    ...(version === null ? {} : { version }),
    answers: 0,
    activations: 0,
    refused: 0,
    limited: 0,
    costs: [],
    thumbs: { up: 0, down: 0 },
  };
}
