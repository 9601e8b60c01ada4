/** Of sessions that began with a provider. None is in a backup. */
export interface IdentityTables {
  session_origins: {
    session_id: string;
    /** As `users.identity`. */
    identity: string;
    /** What the provider calls the session there; null where it does not say. */
    sid: string | null;
    /** Sealed JSON: the provider, and the tokens that end or renew it. */
    details: string;
    /** When the provider is asked again; null where it offers nothing for that. */
    refresh_at: string | null;
  };
}
