/** Tables for connections to tool servers (OAuth). Secrets are encrypted. Not part of backups. */
export interface ConnectionTables {
  /** Sign-ins in progress. */
  mcp_sign_ins: {
    /** SHA-256 of the state. */
    state: string;
    user_id: string;
    server: string;
    expires_at: string;
    /** Encrypted JSON: what the token exchange needs. */
    details: string;
  };
  mcp_tokens: {
    user_id: string;
    server: string;
    issuer: string;
    /** `refused` once the issuer has rejected the refresh token. */
    status: 'signed-in' | 'refused';
    /** Encrypted JSON. */
    details: string;
    created_at: string;
    updated_at: string;
  };
  /** OAuth client registrations of this installation. */
  mcp_clients: {
    issuer: string;
    redirect_url: string;
    /** Encrypted JSON. */
    details: string;
    created_at: string;
  };
}
