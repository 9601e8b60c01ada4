/** What is kept of tools, beside their results. */
export interface ToolTables {
  /** Who lets a tool run without being asked again: a user always, or whoever has a conversation in it. */
  tool_consents: {
    id: string;
    user_id: string | null;
    conversation_id: string | null;
    /** `<source>/<name>` */
    tool: string;
    /** Of the tool as it was. */
    digest: string;
    created_at: string;
  };
  /** What admins have entered for the code of skills, where it is secret. None is in a backup. */
  skill_secrets: {
    skill: string;
    name: string;
    /** Encrypted with the key of the installation. */
    sealed: string;
    updated_at: string;
  };
  /** What a turn waits for. */
  tool_questions: {
    conversation_id: string;
    /** No other of the conversation. */
    id: string;
    expires_at: string;
    /** JSON; null until there is one. */
    answer: string | null;
  };
  /** The tools of servers. None is in a backup: what a server has it says again. */
  mcp_tools: {
    server: string;
    name: string;
    /** JSON: as somebody has agreed to it; null for what is new. */
    approved: string | null;
    /** JSON: as the server describes it now, where that waits for a review. */
    offered: string | null;
    is_there: number;
  };
}
