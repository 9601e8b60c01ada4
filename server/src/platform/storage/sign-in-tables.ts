/** Sessions, second factors and invitations. Not part of backups. */
export interface SignInTables {
  sessions: {
    id: string;
    user_id: string;
    expires_at: string;
    /** Null for a session of an older version, as is the next. */
    created_at: string | null;
    /** To the minute. */
    last_used_at: string | null;
    /** Client of the session; null for a session of an older version, as is the next. */
    address: string | null;
    user_agent: string | null;
  };
  /** Temporary passwords that users have not replaced yet. */
  made_passwords: {
    user_id: string;
    /** Applies while the user has this hash. */
    password_hash: string;
    /** Expiry; null once it has been used. */
    expires_at: string | null;
  };
  second_factors: {
    user_id: string;
    /** Encrypted TOTP secret. */
    secret: string;
    /** Null until the user has confirmed it with a code. */
    confirmed_at: string | null;
    /** Time step of the last accepted code, against replay. */
    last_step: number;
  };
  recovery_codes: {
    user_id: string;
    /** SHA-256, in hex. */
    hash: string;
  };
  invitations: {
    id: string;
    /** SHA-256 of its token, in hex. */
    hash: string;
    note: string;
    /** JSON: ids of groups. */
    groups: string;
    /** Name of the creator. */
    created_by: string;
    /** Null for one of an earlier version. */
    created_by_id: string | null;
    created_at: string;
    expires_at: string;
  };
}
