/** Of keys for programs, and of what is used. None is in a backup. */
export interface KeyTables {
  api_keys: {
    id: string;
    user_id: string;
    name: string;
    /** How the key begins. */
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
  /** Of programs that work for nobody. */
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
    /** JSON; null for none of its own. */
    quota: string | null;
    /** The name of whoever made it. */
    created_by: string;
    /** Null for one of an earlier version. */
    created_by_id: string | null;
    created_at: string;
    /** Null for never. */
    expires_at: string | null;
    /** To the minute. */
    last_used_at: string | null;
  };
  /** How much was used on a day. */
  usage_counts: {
    /** `user:<id>`, `key:<id>`, `group:<id>`. */
    holder: string;
    /** In UTC: `2026-11-23`. */
    day: string;
    turns: number;
    tokens: number;
  };
  /** Of the providers of models. */
  provider_keys: {
    /** As the environment would call it: `OPENAI_API_KEY`. */
    variable: string;
    /** The key, sealed. */
    sealed: string;
    /** The name of whoever entered it. */
    updated_by: string;
    updated_at: string;
  };
}
