import type { auditKinds } from '@knowhow/shared/config/admin';
import type { ColumnType } from 'kysely';
import type { ConnectionTables } from './connection-tables.ts';
import type { ContentTables } from './content-tables.ts';
import type { FileTables } from './file-tables.ts';
import type { IdentityTables } from './identity-tables.ts';
import type { KeyTables } from './key-tables.ts';
import type { ImportTables } from './migrations/create-imports.ts';
import type { LineTables } from './migrations/create-lines.ts';
import type { ShareTables } from './migrations/create-shares.ts';
import type { UserPromptTables } from './migrations/create-user-prompts.ts';
import type { NodeTables } from './node-tables.ts';
import type { ObservationTables } from './observation-tables.ts';
import type { SignInTables } from './sign-in-tables.ts';
import type { ToolTables } from './tool-tables.ts';

/** The tables. Times are ISO 8601 in UTC; JSON columns are text, so that SQLite and PostgreSQL agree. */
export interface Schema
  extends ObservationTables,
    ToolTables,
    ConnectionTables,
    KeyTables,
    IdentityTables,
    SignInTables,
    FileTables,
    LineTables,
    ShareTables,
    UserPromptTables,
    ImportTables,
    NodeTables,
    ContentTables {
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
    /** JSON: kinds and ids of favourites, newest first; null for none. */
    favourites: string | null;
    /** JSON: custom instructions; null for none. */
    preferences: string | null;
    /** JSON: answers to the questions of apps, by app id and variable name; null for none. */
    app_answers: string | null;
    /**
     * Issuer and subject at the identity provider, separated by a blank; null for local accounts.
     */
    identity: string | null;
    /** JSON: profile at the last sign-in with the provider; see `identity/identity.ts`. */
    directory: string | null;
  };
  conversations: {
    id: string;
    owner: string;
    app_id: string;
    model: string;
    title: string;
    created_at: string;
    updated_at: string;
    /** JSON: names of skills that are disabled in it; null for none. */
    skills_off: string | null;
    /** JSON: ids of the best skills for its first message; null if all fit into the catalogue. */
    ranked: string | null;
    /** JSON: ids of the tools offered so far, if not all fit; null for none. */
    tools: string | null;
    /** 1 for pinned or archived conversations. */
    pinned: number;
    archived: number;
    /** Name of its folder; null for none. */
    folder: string | null;
  };
  messages: {
    id: string;
    conversation_id: string;
    /** Order within the conversation, from 0. */
    position: number;
    role: 'user' | 'assistant';
    content: string;
    status: string;
    /** JSON: display data, which is never searched. */
    details: string;
    created_at: string;
    /** JSON: for a user's message, the skills suggested to the model; null for none. */
    named: string | null;
    /** JSON: for a user's message, the custom instructions from here on; null if unchanged. */
    instructions: string | null;
  };
  /** Activations of skills in conversations, including ended ones. */
  activations: {
    id: string;
    conversation_id: string;
    /** The user's message of the turn. */
    message_id: string;
    /**
     * Number of the tool call that returned the instructions; null if they came with the message.
     */
    call: number | null;
    name: string;
    description: string;
    via: string;
    tokens: number;
    /** Checksum of the skill at that time. */
    checksum: string;
    /** The text after `/name`, if the instructions have a placeholder for it. */
    arguments: string | null;
    /** Key of `skill_texts`; null for an activation of an older version, until its next turn. */
    text: string | null;
    created_at: string;
    ended_at: string | null;
    end_reason: string | null;
    /** The user's message in whose turn it ended; null if it ended between turns. */
    ended_in: string | null;
  };
  /** Instructions as sent to models, by SHA-256. */
  skill_texts: {
    checksum: string;
    content: string;
  };
  /** Tool results as sent to the model, in the order of calls. */
  tool_results: {
    message_id: string;
    /** From 0: as in the answer's `toolCalls`. */
    number: number;
    conversation_id: string;
    /** Empty if it is the text of an activation. */
    content: string;
    is_error: number;
    /** JSON: pictures in base64; null for none. */
    images: string | null;
    /** JSON: ids of the skills that it reveals. */
    skills: string;
    /** Duration in milliseconds. */
    ms: number;
  };
  /** Opaque state that a provider wants back with the tool results of an answer. */
  vendor_states: {
    message_id: string;
    /** From 0: as in the answer's `rounds`. */
    round: number;
    conversation_id: string;
    /** JSON. */
    state: string;
  };
  /** Compactions: what is no longer sent to models. The last one applies. */
  compactions: {
    id: string;
    conversation_id: string;
    /** The user's message of the turn. */
    message_id: string;
    /** Turns before this one are omitted, counted from 0. */
    kept_from: number;
    /** Results before this call of this turn are cleared. */
    cleared_turn: number;
    cleared_call: number;
    /** Sent in place of the omitted turns; null for nothing. */
    summary: string | null;
    /** JSON: ids of the skills that the summary may reveal. */
    skills: string;
    created_at: string;
  };
  /** Feedback of users on answers. */
  feedback: {
    message_id: string;
    conversation_id: string;
    value: 'up' | 'down';
    reason: string | null;
    updated_at: string;
  };
  skill_revisions: {
    skill: string;
    /** 1, 2, …; never reused. */
    number: number;
    at: string;
    /** Null for changes found on the disk. */
    user_id: string | null;
    user_name: string | null;
    action: string;
    /** For example, the path of the written file. */
    summary: string;
    /** Checksum of the whole folder; null for a deletion. The files are in `skill_states`. */
    checksum: string | null;
    files: number;
    bytes: number;
    /** JSON: for a deletion, the assignments of the skill; null for none. */
    assignments: string | null;
  };
  /** The files of a skill, as a zip in parts. A state with missing parts counts as missing. */
  skill_states: {
    skill: string;
    checksum: string;
    /** 0, 1, …, in the order of writing. */
    part: number;
    /** Number of parts of this state. */
    parts: number;
    /** The driver binds bytes and returns a buffer. */
    bytes: ColumnType<ArrayBuffer, Uint8Array, never>;
  };
  /** Recent results of models for the test prompts of each skill. Not part of backups. */
  trigger_runs: {
    /** Sorts by time. */
    id: string;
    skill: string;
    at: string;
    user_name: string;
    /** JSON: the summary in a list of runs. */
    head: string;
    /** JSON: the prompts and their results. */
    details: string;
  };
  /** Secret keys of the installation. Not part of backups. */
  secrets: {
    name: string;
    /** In base64. */
    value: string;
  };
  audit: {
    /** Sorts by time. */
    id: string;
    at: string;
    user_id: string;
    user_name: string;
    action: string;
    kind: (typeof auditKinds)[number];
    target: string;
    /** JSON. */
    before: string | null;
    after: string | null;
  };
  /** Embeddings of skills. */
  skill_embeddings: {
    /** Digest of the embedder's configuration. */
    embedder: string;
    /** Digest of the embedded text. */
    checksum: string;
    /** A float32, and an int8 for each dimension. */
    vector: ColumnType<ArrayBuffer, Uint8Array, never>;
  };
}
