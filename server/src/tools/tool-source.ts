import type { AdminToolSource } from '@knowhow/shared/config/admin-tools';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { Question, QuestionAnswer } from '@knowhow/shared/config/tools';
import type { ToolConsent } from '@knowhow/shared/config/tools-config';
import type { Caller } from '../access/caller.ts';
import type { SkillView } from '../skills/skill-view.ts';
import type { ToolResult } from './tool.ts';
import type { ToolTranslations } from './translate-tools.ts';

/** Where tools come from. The turn knows none of them by name. */
export interface ToolSource {
  /** Letters, digits, `-` and `_`: the first part of its tools' ids. */
  id: string;
  /** For people. */
  title: string;
  /** The tools of `mcp` carry the id of their source in the name that models get; those of ours do not. */
  kind: AdminToolSource['kind'];
  /**
   * The tools this caller could have in an app, before rights are looked at. Never throws and never waits
   * long: of what cannot be reached it gives what is known, or nothing. The same array while nothing has
   * changed.
   */
  list(access: ToolAccess): Promise<readonly SourceTool[]>;
  /** Those that an admin decides on, whoever may use them. */
  listAll(): Promise<readonly SourceTool[]>;
  /** What an admin is to know. */
  state(): SourceState;
  /** Takes a tool that is `changed` as it is now. */
  accept?(name: string): Promise<void>;
  /** Tries again to reach what could not be reached; resolves when that has come out. */
  reconnect?(): Promise<void>;
}

/** How a model is asked; its own values count where nothing is said. */
export interface Sampling {
  temperature?: number | undefined;
  /** The most it answers with. */
  maxTokens?: number | undefined;
}

/** For whom tools are listed. */
export interface ToolAccess {
  caller: Caller;
  app: AppConfig;
  view: SkillView;
}

export interface SourceState {
  status: AdminToolSource['status'];
  /** Why it is so, and what to do. */
  message?: string;
  /** ISO 8601, UTC. */
  since?: string;
}

/** A tool as its source describes it. */
export interface SourceTool {
  /** As its source calls it, and no other of it. */
  name: string;
  title?: string | undefined;
  description: string;
  /** JSON schema of type object; never trusted. */
  parameters: Record<string, unknown>;
  /** Of what it does, where that is known here: another one has not been consented to. */
  version?: string | undefined;
  hints: ToolHints;
  translations?: ToolTranslations | undefined;
  consent: ToolConsent;
  /** What a call may take in place of the usual, in milliseconds: without a sign of going on, and in all. */
  limits?: { quiet: number; longest: number };
  /** Ids of the skills it belongs to: without one of them it is not there. */
  skills?: readonly string[] | undefined;
  /** Whether it is not what it was when it was first seen: nobody gets it until an admin has accepted it. */
  changed?: boolean | undefined;
  /** What of one that has changed was accepted before; undefined for one that is new. */
  was?: Pick<SourceTool, 'title' | 'description' | 'parameters'> | undefined;
  /** Its last failure, for an admin. */
  lastError?: string | undefined;
  /**
   * What a call needs consent for, where that is less than the tool: nothing that was said of the tool counts
   * for it. Undefined when the call will be refused anyway, or asks as it runs.
   */
  consentFor?(
    input: unknown,
    call: Pick<ToolCall, 'view' | 'active'>,
  ): Promise<ConsentSubject | undefined>;
  /** May throw: what it throws, the model gets as a plain sentence. */
  run(input: unknown, call: ToolCall): Promise<ToolResult>;
}

/** What a tool does; hints of a source that is not trusted only make things stricter. */
export interface ToolHints {
  readOnly: boolean;
  destructive: boolean;
  openWorld: boolean;
  /** Whether the worst is assumed, since nothing that counts says what it does. */
  isAssumed?: boolean;
}

export interface ConsentSubject {
  id: string;
  /** A consent counts while it is this. */
  digest: string;
  /** Whether an admin has approved it as it is, so that nobody is asked. */
  isApproved: boolean;
}

/** What a call has run. */
export type Receipt = Readonly<Record<string, string | number>>;

/** One call, as a tool sees it. */
export interface ToolCall {
  /** Aborted when the turn ends, or when the call has taken too long. */
  signal: AbortSignal;
  /** What the audit log is to keep of the call, beside who called what: also when it fails or is stopped later. */
  note(receipt: Receipt): void;
  /** Says what is being done, to whoever waits; and that it goes on, for the limit of time. */
  progress(text: string): void;
  /** Suspends the turn until its user has answered; `cancel` when nobody does. */
  ask(question: Question): Promise<QuestionAnswer>;
  /**
   * Whether its user allows what shows only as the call runs. They see it in place of the arguments; what they
   * allow for longer counts for the subject alone.
   */
  allow(what: { shown: unknown; subject: ConsentSubject }): Promise<boolean>;
  /** The digest of what the consent to this call was for, if it was for something of its own. */
  consented?: string | undefined;
  caller: Caller;
  conversationId: string;
  view: SkillView;
  /** Names of the skills that are active in the conversation. */
  active: readonly string[];
  /** Asks the turn's model for a text; a few times in a call. */
  model?(prompt: string, sampling?: Sampling): Promise<string>;
  /**
   * Calls another tool that the caller may use, whether the model was offered it or not: with its arguments
   * checked, its user's consent where required, and an entry in the audit log. Undefined for an unknown name.
   */
  callTool?(name: string, input: unknown): Promise<ToolResult | undefined>;
}
