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
    /** JSON: kinds and ids of what they keep at hand, the newest first; null for nothing. */
    favourites: string | null;
    /** JSON: what they want of models; null for nothing. */
    preferences: string | null;
    /** JSON: by id of an app, what they have answered to its questions, by name; null for nothing. */
    app_answers: string | null;
    /** Issuer and subject, with a blank between, of who signs in elsewhere; null for all others. */
    identity: string | null;
    /** JSON: what was said of them there at the last time; see `access/identity.ts`. */
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
    /** JSON: names of skills that are not to be used in it; null for none. */
    skills_off: string | null;
    /** JSON: ids of the skills that fitted its beginning best; null where all find room in a catalogue. */
    ranked: string | null;
    /** JSON: ids of the tools it has been offered, where not all find room; null for none. */
    tools: string | null;
    /** 1 where its owner wants it on top, or put away. */
    pinned: number;
    archived: number;
    /** The name of the folder it is in; null for none. */
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
    /** JSON: all that is only shown, never searched. */
    details: string;
    created_at: string;
    /** JSON: of a user's message, the skills that are named to models with it; null for none. */
    named: string | null;
    /** JSON: of a user's message, what its writer wants of models from here on; null for the same as before. */
    instructions: string | null;
  };
  /** Each time a skill became active in a conversation, also after its end. */
  activations: {
    id: string;
    conversation_id: string;
    /** The user's message in whose turn it happened. */
    message_id: string;
    /** Number of the call in whose result the instructions are; null where they came with the message. */
    call: number | null;
    name: string;
    description: string;
    via: string;
    tokens: number;
    /** Of the skill as it was. */
    checksum: string;
    /** What the user wrote after `/name`, where the instructions have a placeholder for it. */
    arguments: string | null;
    /** Key of `skill_texts`; null for one of an older version, until its next turn. */
    text: string | null;
    created_at: string;
    ended_at: string | null;
    end_reason: string | null;
    /** The user's message in whose turn it ended; null when that was between two turns. */
    ended_in: string | null;
  };
  /** Instructions as models got them, by their SHA-256. */
  skill_texts: {
    checksum: string;
    content: string;
  };
  /** What tools gave to the model, in the order of the calls of an answer. */
  tool_results: {
    message_id: string;
    /** From 0: as in the answer's `toolCalls`. */
    number: number;
    conversation_id: string;
    /** Empty where it is the text of an activation. */
    content: string;
    is_error: number;
    /** JSON: pictures in base64; null for none. */
    images: string | null;
    /** JSON: ids of the skills it tells of. */
    skills: string;
    /** Milliseconds that it took. */
    ms: number;
  };
  /** What a vendor wants to be handed back with an answer's request for tools. */
  vendor_states: {
    message_id: string;
    /** From 0: as in the answer's `rounds`. */
    round: number;
    conversation_id: string;
    /** JSON. */
    state: string;
  };
  /** What of a conversation is no longer sent to models. The last one counts. */
  compactions: {
    id: string;
    conversation_id: string;
    /** The user's message in whose turn it was made. */
    message_id: string;
    /** Turns before this one are left out, counted from 0. */
    kept_from: number;
    /** Results before this call of this turn are taken out. */
    cleared_turn: number;
    cleared_call: number;
    /** What is sent in place of what is left out; null for nothing. */
    summary: string | null;
    /** JSON: ids of the skills that it may tell of. */
    skills: string;
    created_at: string;
  };
  /** What its owner thinks of an answer. */
  feedback: {
    message_id: string;
    conversation_id: string;
    value: 'up' | 'down';
    reason: string | null;
    updated_at: string;
  };
  skill_revisions: {
    skill: string;
    /** 1, 2, …: each is given once. */
    number: number;
    at: string;
    /** Nobody for what was found on the disk. */
    user_id: string | null;
    user_name: string | null;
    action: string;
    /** Such as the path of the file that was written. */
    summary: string;
    /** Of the whole folder; null for a deletion. The files are in `skill_states`. */
    checksum: string | null;
    files: number;
    bytes: number;
    /** JSON: of a deletion, where the skill was assigned; null for nowhere. */
    assignments: string | null;
  };
  /** The files of a skill, as a zip in parts. One of which parts are missing is not there. */
  skill_states: {
    skill: string;
    checksum: string;
    /** 0, 1, …: written in that order. */
    part: number;
    /** How many there are of this state. */
    parts: number;
    /** The library binds bytes and gives a buffer. */
    bytes: ColumnType<ArrayBuffer, Uint8Array, never>;
  };
  /** What models did with the prompts of a skill, the last runs of each. None is in a backup. */
  trigger_runs: {
    /** In the order of time. */
    id: string;
    skill: string;
    at: string;
    user_name: string;
    /** JSON: what a list of runs shows. */
    head: string;
    /** JSON: the prompts, and what came of each. */
    details: string;
  };
  /** Keys of the installation. None is in a backup. */
  secrets: {
    name: string;
    /** In base64. */
    value: string;
  };
  audit: {
    /** In the order of time. */
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
  /** What an embedder made of skills. */
  skill_embeddings: {
    /** A digest of what it is. */
    embedder: string;
    /** A digest of what the text followed from. */
    checksum: string;
    /** A float32 and a signed byte for each number. */
    vector: ColumnType<ArrayBuffer, Uint8Array, never>;
  };
}
