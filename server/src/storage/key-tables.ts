/** Of keys by which programs ask in a user's name. None is in a backup. */
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
}
