/** Tool approvals, secrets and pending questions. */
export interface ToolTables {
  /** Approvals to run a tool without asking: by a user for always, or for one conversation. */
  tool_consents: {
    id: string;
    user_id: string | null;
    conversation_id: string | null;
    /** `<source>/<name>` */
    tool: string;
    /** Digest of the tool definition at that time. */
    digest: string;
    created_at: string;
  };
  /** Secret settings of skills, for their code. Not part of backups. */
  skill_secrets: {
    skill: string;
    name: string;
    /** Encrypted with the key of the installation. */
    sealed: string;
    updated_at: string;
  };
  /** Questions that turns wait for. */
  tool_questions: {
    conversation_id: string;
    /** Unique within the conversation. */
    id: string;
    expires_at: string;
    /** JSON; null until answered. */
    answer: string | null;
  };
  /** Tools of servers. Not part of backups, because servers list them again. */
  mcp_tools: {
    server: string;
    name: string;
    /** JSON: the approved definition; null for a new tool. */
    approved: string | null;
    /** JSON: the changed definition, if it waits for a review. */
    offered: string | null;
    is_there: number;
  };
}
