import type { Kysely } from 'kysely';
import { runStatements } from '../../../platform/storage/run-statements.ts';

declare module '../../../platform/storage/schema.ts' {
  interface Schema {
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
      /** The version of the skill that was loaded; null if it is unknown. */
      version_number: number | null;
      version_digest: string | null;
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
    /** Branches: messages of a conversation that an edit or a retry has replaced. */
    lines: {
      /** The conversation that holds the rows, owned by `branchOwner`. */
      id: string;
      /** The parent: a conversation, or another branch. */
      conversation_id: string;
      /** Position of its first message. */
      position: number;
      /** JSON: activations from before the branch that ended in it. */
      ends: string;
      /** Approximate size of its texts. */
      bytes: number;
      /** When it was archived; also the order. */
      created_at: string;
      /** 1 for a comparison answer that has not been accepted or dismissed. */
      is_comparison: number;
    };
  }
}

const statements = [
  `create table conversations (
    id text primary key,
    owner text not null,
    app_id text not null,
    model text not null,
    title text not null,
    created_at text not null,
    updated_at text not null,
    skills_off text,
    ranked text,
    tools text,
    pinned integer not null default 0,
    archived integer not null default 0,
    folder text
  )`,
  'create index conversations_by_owner on conversations (owner, updated_at, id)',
  'create index conversations_in_order on conversations (owner, archived, pinned, updated_at, id)',
  'create index conversations_in_folders on conversations (owner, folder) where folder is not null',
  `create table messages (
    id text primary key,
    conversation_id text not null references conversations (id) on delete cascade,
    position integer not null,
    role text not null,
    content text not null,
    status text not null,
    details text not null,
    created_at text not null,
    named text,
    instructions text,
    constraint messages_in_order unique (conversation_id, position)
  )`,
  'create index messages_by_status on messages (status)',
  `create table activations (
    id text primary key,
    conversation_id text not null references conversations (id) on delete cascade,
    message_id text not null,
    call integer,
    name text not null,
    description text not null,
    via text not null,
    tokens integer not null,
    checksum text not null,
    arguments text,
    text text,
    created_at text not null,
    ended_at text,
    end_reason text,
    ended_in text
  )`,
  'create index activations_by_conversation on activations (conversation_id, created_at)',
  'create index activations_by_text on activations (text)',
  'create index activations_not_ended on activations (conversation_id) where ended_at is null',
  'create table skill_texts (checksum text primary key, content text not null)',
  `create table tool_results (
    message_id text not null references messages (id) on delete cascade,
    number integer not null,
    conversation_id text not null references conversations (id) on delete cascade,
    content text not null,
    is_error integer not null,
    images text,
    skills text not null,
    ms integer not null,
    primary key (message_id, number)
  )`,
  `create table vendor_states (
    message_id text not null references messages (id) on delete cascade,
    round integer not null,
    conversation_id text not null references conversations (id) on delete cascade,
    state text not null,
    primary key (message_id, round)
  )`,
  `create table compactions (
    id text primary key,
    conversation_id text not null references conversations (id) on delete cascade,
    message_id text not null references messages (id) on delete cascade,
    kept_from integer not null,
    cleared_turn integer not null,
    cleared_call integer not null,
    summary text,
    skills text not null,
    created_at text not null
  )`,
  'create index compactions_by_conversation on compactions (conversation_id, created_at)',
  `create table feedback (
    message_id text primary key references messages (id) on delete cascade,
    conversation_id text not null references conversations (id) on delete cascade,
    value text not null,
    reason text,
    updated_at text not null
  )`,
  'create index feedback_by_conversation on feedback (conversation_id)',
  `create table lines (
    id text primary key references conversations (id) on delete cascade,
    conversation_id text not null references conversations (id) on delete cascade,
    position integer not null,
    ends text not null,
    bytes integer not null,
    created_at text not null,
    beside integer not null default 0
  )`,
  'create index lines_by_conversation on lines (conversation_id, position)',
];

/** Creates the tables of conversations, their records and their branches. */
export async function createMessageTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, statements);
}
