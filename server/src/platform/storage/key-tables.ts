/** API keys, quotas and provider keys. Not part of backups. */
export interface KeyTables {
  api_keys: {
    id: string;
    user_id: string;
    name: string;
    /** The displayable beginning of the key. */
    prefix: string;
    /** SHA-256 of the key, in hex. */
    hash: string;
    /** JSON. */
    scopes: string;
    created_at: string;
    /** Null for never. */
    expires_at: string | null;
    /** To the minute. */
    last_used_at: string | null;
  };
  /** Keys of programs without a user. */
  service_keys: {
    id: string;
    name: string;
    prefix: string;
    /** SHA-256 of the key, in hex. */
    hash: string;
    /** JSON. */
    scopes: string;
    /** JSON: ids of groups. */
    groups: string;
    /** JSON; null for the default quota. */
    quota: string | null;
    /** Name of the creator. */
    created_by: string;
    /** Null for one of an earlier version. */
    created_by_id: string | null;
    created_at: string;
    /** Null for never. */
    expires_at: string | null;
    /** To the minute. */
    last_used_at: string | null;
  };
  /** Daily usage. */
  usage_counts: {
    /** `user:<id>`, `key:<id>`, `group:<id>`. */
    holder: string;
    /** In UTC: `2026-11-23`. */
    day: string;
    turns: number;
    tokens: number;
  };
  /** Keys of model providers. */
  provider_keys: {
    /** Named like the environment variable: `OPENAI_API_KEY`. */
    variable: string;
    /** The encrypted key. */
    sealed: string;
    /** Name of the user who entered it. */
    updated_by: string;
    updated_at: string;
  };
}
