import type { ColumnType } from 'kysely';

/** What is noted of turns, beside the conversations themselves. */
export interface ObservationTables {
  /** A turn in numbers: nothing of what was said in it, nor whose it was. Outlives the conversation. */
  turn_facts: {
    /** Of the answer. */
    message_id: string;
    conversation_id: string;
    /** When it began. */
    at: string;
    /** Monday of its week, as `2026-05-04`. */
    week: string;
    app: string;
    model: string;
    /** JSON: ids of the caller's groups. */
    groups: string;
    /** Of all its requests to models. */
    input_tokens: number;
    /** Of these, what came from the provider's cache. */
    cached_tokens: number;
    output_tokens: number;
    /** Null where nothing says what tokens cost. */
    cost: number | null;
    /** ISO 4217. */
    currency: string | null;
    ms: number;
    /** A finish reason, or `error`. */
    outcome: string;
    /** How many skills were active. */
    skills: number;
    /** Searches for skills, and those that found none. */
    searches: number;
    empty_searches: number;
  };
  /** What became of a skill in a turn. */
  skill_facts: {
    message_id: string;
    /** Empty for one that does not exist. */
    skill: string;
    event: 'activated' | 'active' | 'refused' | 'limited' | 'ended';
    /** How it came (`activated`), or why it went (`ended`); else empty. */
    detail: string;
    times: number;
    /** Of its instructions, where it came. */
    tokens: number;
  };
  /** What the model saw for an answer. None is in a backup. */
  traces: {
    message_id: string;
    created_at: string;
    /** JSON, which may be compressed with gzip. */
    bytes: ColumnType<ArrayBuffer, Uint8Array, Uint8Array>;
  };
  /** What several of them have in common, by its SHA-256. */
  trace_parts: {
    checksum: string;
    /** The last day on which one was made that has it, or shortly before. */
    used_at: string;
    bytes: ColumnType<ArrayBuffer, Uint8Array, Uint8Array>;
  };
}
