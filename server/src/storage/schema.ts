/** The tables. Times are ISO 8601 in UTC; JSON columns are text, so that SQLite and PostgreSQL agree. */
export interface Schema {
  users: {
    id: string;
    /** Lower case. */
    username: string;
    name: string;
    password_hash: string | null;
    /** JSON: ids of groups. */
    groups: string;
    disabled: number;
    created_at: string;
  };
  sessions: { id: string; user_id: string; expires_at: string };
  conversations: {
    id: string;
    owner: string;
    app_id: string;
    model: string;
    title: string;
    created_at: string;
    updated_at: string;
  };
  messages: {
    id: string;
    conversation_id: string;
    /** Order within the conversation, from 0. */
    position: number;
    role: 'user' | 'assistant';
    content: string;
    status: string;
    /** JSON: all that is only shown, never searched. */
    details: string;
    created_at: string;
  };
  activations: {
    conversation_id: string;
    name: string;
    /** The user's message in whose turn it happened. */
    message_id: string;
    description: string;
    via: string;
    tokens: number;
    checksum: string;
    created_at: string;
    /** What the user wrote after `/name`, where the instructions have a place for it. */
    arguments: string | null;
  };
}
