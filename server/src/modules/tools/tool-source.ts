import type { AdminToolSource } from '@knowhow/shared/config/admin-tools';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { Question, QuestionAnswer } from '@knowhow/shared/config/tools';
import type { ToolConsent } from '@knowhow/shared/config/tools-config';
import type { Caller } from '../identity/caller.ts';
import type { SkillView } from '../skills/skill-view.ts';
import type { ToolTranslations } from './describe-tool.ts';
import type { ToolResult } from './tool.ts';

/** A provider of tools, independent of the turn. */
export interface ToolSource {
  /** Letters, digits, `-` and `_`: the prefix of its tools' IDs. */
  id: string;
  /** Display name. */
  title: string;
  /** Model-facing names of `mcp` tools include the source's ID; built-in ones do not. */
  kind: AdminToolSource['kind'];
  /**
   * Tools this caller could have in an app, before permissions are applied. Never throws or blocks
   * for long: unreachable sources return known tools or none. The same array until something
   * changes.
   */
  list(access: ToolAccess): Promise<readonly SourceTool[]>;
  /** All tools an admin decides on, regardless of permissions. */
  listAll(): Promise<readonly SourceTool[]>;
  /** Status for admins. */
  state(): SourceState;
  /** Accepts a `changed` tool in its current version. */
  accept?(name: string): Promise<void>;
  /** Reconnects; resolves with the outcome known. */
  reconnect?(): Promise<void>;
}

/** Sampling parameters; the model's own by default. */
export interface Sampling {
  temperature?: number | undefined;
  /** Maximum output tokens. */
  maxTokens?: number | undefined;
}

/** The caller for whom tools are listed, and the context. */
export interface ToolAccess {
  caller: Caller;
  app: AppConfig;
  view: SkillView;
}

export interface SourceState {
  status: AdminToolSource['status'];
  /** The reason, and what to do. */
  message?: string;
  /** ISO 8601, UTC. */
  since?: string;
}

/** A tool as described by its source. */
export interface SourceTool {
  /** Unique within its source. */
  name: string;
  title?: string | undefined;
  description: string;
  /** JSON schema of type object; untrusted. */
  parameters: Record<string, unknown>;
  /** Version of its behaviour, if known: a different version requires new consent. */
  version?: string | undefined;
  hints: ToolHints;
  translations?: ToolTranslations | undefined;
  consent: ToolConsent;
  /** Timeouts in milliseconds, instead of the defaults: without progress, and in total. */
  limits?: { idleTimeoutMs: number; totalTimeoutMs: number };
  /** IDs of the skills it belongs to; hidden if any of them is not available. */
  skills?: readonly string[] | undefined;
  /** Whether it differs from the approved version: unusable until an admin accepts it. */
  changed?: boolean | undefined;
  /** The approved version of a changed tool; undefined for a new tool. */
  was?: Pick<SourceTool, 'title' | 'description' | 'parameters'> | undefined;
  /** Its last failure, for admins. */
  lastError?: string | undefined;
  /**
   * The scope of the consent for a call, if it is narrower than the tool: consents to the tool do not
   * apply. Undefined if the call will fail anyway or asks while running.
   */
  consentFor?(
    input: unknown,
    call: Pick<ToolCall, 'view' | 'active'>,
  ): Promise<ConsentSubject | undefined>;
  /** May throw; the model gets the message. */
  run(input: unknown, call: ToolCall): Promise<ToolResult>;
}

/** Behaviour of a tool; hints of untrusted sources can only make checks stricter. */
export interface ToolHints {
  readOnly: boolean;
  destructive: boolean;
  openWorld: boolean;
  /** Whether the worst is assumed for lack of trusted hints. */
  isAssumed?: boolean;
}

export interface ConsentSubject {
  id: string;
  /** The consent is valid while this is unchanged. */
  digest: string;
  /** Whether an admin approved this version, so that users are not asked. */
  isApproved: boolean;
}

/** Audit fields of what a call has run. */
export type Receipt = Readonly<Record<string, string | number>>;

/** A call from the tool's perspective. */
export interface ToolCall {
  /** Aborted when the turn ends or the call times out. */
  signal: AbortSignal;
  /** Adds audit fields to the call, recorded even if it fails or is stopped later. */
  note(receipt: Receipt): void;
  /** Reports progress to the user and resets the idle timeout. */
  progress(text: string): void;
  /** Suspends the turn until the user answers; `cancel` on timeout. */
  ask(question: Question): Promise<QuestionAnswer>;
  /**
   * Asks for consent to something known only at run time. It is shown in place of the arguments;
   * lasting consent covers only the subject.
   */
  allow(what: { shown: unknown; subject: ConsentSubject }): Promise<boolean>;
  /** Digest of the consented subject, if it was narrower than the tool. */
  consented?: string | undefined;
  caller: Caller;
  conversationId: string;
  view: SkillView;
  /** Names of the conversation's active skills. */
  active: readonly string[];
  /** Asks the turn's model for a text; limited per call. */
  model?(prompt: string, sampling?: Sampling): Promise<string>;
  /**
   * Calls another tool that the caller may use, offered or not: with validation, consent and audit.
   * Undefined for an unknown name.
   */
  callTool?(name: string, input: unknown): Promise<ToolResult | undefined>;
}
