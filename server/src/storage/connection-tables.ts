/** Of sign-ins to servers of tools. What is secret is encrypted. None of it is in a backup. */
export interface ConnectionTables {
  /** Begun, and not finished. */
  mcp_sign_ins: {
    /** SHA-256 of it. */
    state: string;
    user_id: string;
    server: string;
    expires_at: string;
    /** Sealed JSON: what the exchange of the code takes. */
    details: string;
  };
  mcp_tokens: {
    user_id: string;
    server: string;
    issuer: string;
    /** `refused` once the issuer has refused to renew them. */
    status: 'signed-in' | 'refused';
    /** Sealed JSON. */
    details: string;
    created_at: string;
    updated_at: string;
  };
  /** Registrations of this installation, by what they were made for. */
  mcp_clients: {
    issuer: string;
    redirect_url: string;
    /** Sealed JSON. */
    details: string;
    created_at: string;
  };
}
