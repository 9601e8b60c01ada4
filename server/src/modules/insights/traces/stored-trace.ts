import type { FinishReason, FittingCode } from '@knowhow/shared/chat/chat';
import type { MessageStatus } from '@knowhow/shared/chat/conversations';
import type { TraceUsage, tracePurposes } from '@knowhow/shared/chat/traces';
import type { Listing, SystemBlock } from '../../chat/index.ts';
import type { ModelTool } from '../../models/index.ts';
import type { RefusedSkill } from '../../tools/index.ts';

/** The stored trace of an answer. Times are in milliseconds since 1970. */
export interface StoredTrace {
  conversation: string;
  app: string;
  model: string;
  groups: readonly string[];
  at: number;
  ms: number;
  status: MessageStatus;
  finishReason?: FinishReason;
  error?: { code: string };
  /** IDs of the skills that messages suggested in addition to the catalogue. */
  named: string[];
  /** The user's custom instructions. */
  instructions?: string;
  /** Values that filled the app's prompt, by name. */
  values?: Readonly<Record<string, string>>;
  rounds: StoredRound[];
}

export interface StoredRound {
  purpose: (typeof tracePurposes)[number];
  model: string;
  at: number;
  ms: number;
  firstMs?: number;
  /** Checksum of the part that describes what was offered. */
  setting: string;
  /** The system prompt, if it is not the app's. */
  instruction?: string;
  /** IDs of the skills offered to the router. */
  candidates?: readonly string[];
  /** Skills that the router chose but that were denied. */
  refused?: readonly RefusedSkill[];
  active: readonly string[];
  /** Numbers of their versions by skill ID; missing in older traces. */
  versions?: Readonly<Record<string, number>>;
  earlier: number;
  added: StoredMessage[];
  notices: FittingCode[];
  text?: string;
  calls: StoredCall[];
  usage?: TraceUsage;
  stop?: 'stop' | 'length' | 'tool-calls';
  error?: { code: string };
}

export interface StoredMessage {
  role: 'user' | 'assistant' | 'tool';
  content: string;
  toolCalls?: { name: string; input: unknown }[];
  name?: string;
  error?: boolean;
  images?: number;
  /** IDs of the skills it mentions. */
  skills?: readonly string[];
}

export interface StoredCall {
  name: string;
  input: unknown;
  at: number;
  ms: number;
  bytes: number;
  error: boolean;
  summary: string;
  /** IDs of the skills its result mentions, in order. */
  skills: readonly string[];
}

/** The offer to a model; shared by all users with the same permissions. */
export interface TraceSetting {
  system: readonly SystemBlock[];
  tools: readonly ModelTool[];
  usesTools: boolean;
  listing: Listing;
  /** Skills that were switched off in the conversation. */
  off: readonly string[];
  /** Checksum of the part that lists the visible skills. */
  visible: string;
}

/** IDs of the skills a user could see. */
export interface VisibleIds {
  ids: string[];
  /** Skills that only users may pick. */
  userOnly: string[];
}

/** A trace with the parts it references; missing parts are omitted. */
export interface WholeTrace {
  messageId: string;
  trace: StoredTrace;
  settings: ReadonlyMap<string, TraceSetting>;
  visible: ReadonlyMap<string, VisibleIds>;
}
