/** Of sessions that began with a provider. None is in a backup. */
export interface IdentityTables {
  session_origins: {
    session_id: string;
    /** As `users.identity`. */
    identity: string;
    /** What the provider calls the session there, or the id of the one that this is beside; null for neither. */
    sid: string | null;
    /** Sealed JSON: the provider, and the tokens that end or renew it. */
    details: string;
    /** When the provider is asked again; null where it offers nothing for that. */
    refresh_at: string | null;
    /** The provider's name; null for those that began before it was kept here. */
    provider: string | null;
  };
}
