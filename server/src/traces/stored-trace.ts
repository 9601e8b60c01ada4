import type { FinishReason, FittingCode } from '@knowhow/shared/chat/chat';
import type { MessageStatus } from '@knowhow/shared/chat/conversations';
import type { TraceUsage, tracePurposes } from '@knowhow/shared/chat/traces';
import type { Listing } from '../chat/present-skills.ts';
import type { SystemBlock } from '../chat/system-prompt.ts';
import type { ModelTool } from '../models/model.ts';
import type { RefusedSkill } from '../tools/tool.ts';

/** What is kept of an answer. Times are milliseconds since 1970. */
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
  /** Ids of the skills that messages brought up which the catalogue has no room for. */
  named: string[];
  /** What the user wanted of models. */
  instructions?: string;
  /** What was put into the app's prompt, by name. */
  values?: Readonly<Record<string, string>>;
  rounds: StoredRound[];
}

export interface StoredRound {
  purpose: (typeof tracePurposes)[number];
  model: string;
  at: number;
  ms: number;
  firstMs?: number;
  /** Checksum of the part that says what was offered. */
  setting: string;
  /** The system prompt, where it is not that of the app. */
  instruction?: string;
  /** Ids of the skills that were put to a router. */
  candidates?: readonly string[];
  /** Skills that a router has chosen and that were not given. */
  refused?: readonly RefusedSkill[];
  active: readonly string[];
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
  /** Ids of the skills it tells of. */
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
  /** Ids of the skills that its result tells of, in their order. */
  skills: readonly string[];
}

/** What a model was offered: the same for all who may do the same. */
export interface TraceSetting {
  system: readonly SystemBlock[];
  tools: readonly ModelTool[];
  usesTools: boolean;
  listing: Listing;
  /** Names of skills that were switched off in the conversation. */
  off: readonly string[];
  /** Checksum of the part that says which skills could be seen. */
  visible: string;
}

/** Ids of the skills that somebody could see. */
export interface VisibleIds {
  ids: string[];
  /** Those that only users pick. */
  userOnly: string[];
}

/** A trace with all that it refers to; what is no longer there is left out. */
export interface WholeTrace {
  messageId: string;
  trace: StoredTrace;
  settings: ReadonlyMap<string, TraceSetting>;
  visible: ReadonlyMap<string, VisibleIds>;
}
