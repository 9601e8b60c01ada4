import type { ColumnType } from 'kysely';

/** Metrics of turns, traces and skill events, apart from the conversations themselves. */
export interface ObservationTables {
  /** Metrics of a turn, without content or user. Outlives the conversation. */
  turn_facts: {
    /** Id of the answer. */
    message_id: string;
    conversation_id: string;
    /** Start of the turn. */
    at: string;
    /** Monday of its week, as `2026-05-04`. */
    week: string;
    app: string;
    model: string;
    /** JSON: ids of the caller's groups. */
    groups: string;
    /** Sum over all model requests of the turn. */
    input_tokens: number;
    /** Part of the input that came from the provider's cache. */
    cached_tokens: number;
    output_tokens: number;
    /** Null without configured prices. */
    cost: number | null;
    /** ISO 4217. */
    currency: string | null;
    ms: number;
    /** A finish reason, or `error`. */
    outcome: string;
    /** Number of active skills. */
    skills: number;
    /** Searches for skills, and those without a result. */
    searches: number;
    empty_searches: number;
  };
  /** Skill events in a turn. */
  skill_facts: {
    message_id: string;
    /** Empty for an unknown skill. */
    skill: string;
    event: 'activated' | 'active' | 'refused' | 'limited' | 'ended';
    /** The trigger for `activated`, the reason for `ended`; otherwise empty. */
    detail: string;
    times: number;
    /** Size of the instructions, for `activated`. */
    tokens: number;
  };
  /** Traces: what the model saw for an answer. Not part of backups. */
  traces: {
    message_id: string;
    created_at: string;
    /** JSON, possibly gzipped. */
    bytes: ColumnType<ArrayBuffer, Uint8Array, Uint8Array>;
  };
  /** Parts that several traces share, by SHA-256. */
  trace_parts: {
    checksum: string;
    /** Approximately the last day on which a trace with this part was created. */
    used_at: string;
    bytes: ColumnType<ArrayBuffer, Uint8Array, Uint8Array>;
  };
}
