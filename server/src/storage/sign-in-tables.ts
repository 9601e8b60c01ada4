/** Of signing in, beside the users themselves. None is in a backup. */
export interface SignInTables {
  sessions: {
    id: string;
    user_id: string;
    expires_at: string;
    /** Null for one of an older version, as is the next. */
    created_at: string | null;
    /** To the minute. */
    last_used_at: string | null;
    /** Where it began; null for one of an older version, as is the next. */
    address: string | null;
    user_agent: string | null;
  };
  /** Passwords that were made up for somebody, and that nobody has chosen since. */
  made_passwords: {
    user_id: string;
    /** Counts while the user has this hash. */
    password_hash: string;
    /** After that it opens nothing; null once it has been used. */
    expires_at: string | null;
  };
  second_factors: {
    user_id: string;
    /** Sealed: what codes are made from. */
    secret: string;
    /** Null until its user has shown that they have it. */
    confirmed_at: string | null;
    /** The time step of the last code that was taken: none is good twice. */
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
    /** The name of whoever made it. */
    created_by: string;
    /** Null for one of an earlier version. */
    created_by_id: string | null;
    created_at: string;
    expires_at: string;
  };
}
