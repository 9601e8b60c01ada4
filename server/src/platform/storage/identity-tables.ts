/** Sessions that started with an identity provider. Not part of backups. */
export interface IdentityTables {
  session_origins: {
    session_id: string;
    /** As `users.identity`. */
    identity: string;
    /**
     * The provider's session id, or the id of the parent session for a child session; null for
     * neither.
     */
    sid: string | null;
    /** Encrypted JSON: the provider and the tokens to end or renew the session. */
    details: string;
    /** Next check at the provider; null without a refresh token. */
    refresh_at: string | null;
    /** Name of the provider; null for sessions of an earlier version. */
    provider: string | null;
  };
}
