import type { CallReason } from '@knowhow/shared/chat/call-reason';
import type { Activation } from '@knowhow/shared/chat/chat';
import type { Question, QuestionAnswer } from '@knowhow/shared/config/tools';
import type { ToolConsent } from '@knowhow/shared/config/tools-config';
import type { ToolTexts } from '../../platform/lib/locales.ts';
import type { Caller } from '../identity/index.ts';
import type { ModelImage } from '../models/index.ts';
import type { ActiveSkills, SkillView } from '../skills/index.ts';

/** A function that models may call, from any source. */
export interface Tool {
  /** Unique within its source. */
  name: string;
  title?: string | undefined;
  description: string;
  /** JSON schema of type object; untrusted. */
  parameters: Record<string, unknown>;
  /** Version of its behaviour, if known: a different version requires new consent. */
  version?: string | undefined;
  hints: ToolHints;
  /** Its texts in a language of `locales`; only built-in tools are translated. */
  textsIn?: ((language: string) => ToolTexts) | undefined;
  consent: ToolConsent;
  /**
   * Whether it only reads the skills of the turn. It then runs at once: without consent, timeout and
   * audit entry. It checks its arguments itself, to accept what models commonly send.
   */
  isSkillTool?: boolean | undefined;
  /** Timeouts in milliseconds, instead of the defaults: without progress, and in total. */
  limits?: { idleTimeoutMs: number; totalTimeoutMs: number };
  /** IDs of the skills it belongs to; hidden if any of them is not available. */
  skills?: readonly string[] | undefined;
  /** Whether it differs from the approved version: unusable until an admin accepts it. */
  changed?: boolean | undefined;
  /** The approved version of a changed tool; undefined for a new tool. */
  was?: Pick<Tool, 'title' | 'description' | 'parameters'> | undefined;
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

/** A tool that only reads the skills of the turn. */
export interface SkillTool extends Tool {
  isSkillTool: true;
  run(input: unknown, call: SkillCall): Promise<ToolResult>;
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

/** The state that decides which skill tools a turn is offered. */
export interface SkillOffer {
  view: SkillView;
  /** Whether the prompt lists skills. */
  hasCatalogue: boolean;
  /** Whether there are more skills to search for. */
  isSearchable: boolean;
}

/** The part of a call that skill tools take. It is separate from the model's arguments. */
export interface SkillCall {
  view: SkillView;
  /** The active skills; an activation adds to them. */
  active: ActiveSkills;
  maxActiveSkills: number;
  modelSees: boolean;
  /** Token budget of a result. */
  resultTokenBudget: number;
  /** Maximum tokens of a skill's text that is included in full. */
  maxSkillTokens: number;
  /** Counts requests for missing files in this turn. */
  misses: { count: number };
}

/** A call from the tool's perspective. */
export interface ToolCall extends SkillCall {
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
  /** Asks the turn's model for a text; limited per call. */
  model?(prompt: string, sampling?: Sampling): Promise<string>;
  /**
   * Calls another tool that the caller may use, offered or not: with validation, consent and audit.
   * Undefined for an unknown name.
   */
  callTool?(name: string, input: unknown): Promise<ToolResult | undefined>;
}

/** Sampling parameters; the model's own by default. */
export interface Sampling {
  temperature?: number | undefined;
  /** Maximum output tokens. */
  maxTokens?: number | undefined;
}

/** The result for the model and the user. */
export interface ToolResult {
  content: string;
  isError: boolean;
  /** A short summary for the chat. */
  summary: string;
  images?: ModelImage[];
  /** `content` as data, for flows. */
  structured?: unknown;
  /** Final text for the user: ends the answer without asking the model again. */
  directOutput?: string;
  /** Files created for the user. */
  files?: readonly NewFile[];
  /** The skill activated by this call. */
  activation?: Activation;
  /** IDs of skills whose content it contains; it is removed when one is revoked. */
  skills?: readonly string[];
  /** A requested skill that was denied. */
  refused?: RefusedSkill;
  /** Number of skills found by a search. */
  found?: number;
}

/** A file created by a tool. */
export interface NewFile {
  name: string;
  /** Detected from its bytes. */
  type: string;
  bytes: Uint8Array;
}

export interface RefusedSkill {
  /** As requested; not necessarily an existing skill. */
  name: string;
  /** `limit`: too many active skills. */
  why: 'not-available' | 'limit';
  /** Number of its version, if the caller may see it. */
  version?: number;
}

/**
 * A result that tells the model what to do differently.
 *
 * @param skills IDs of the skills it mentions
 */
export function toolError(
  content: string,
  summary: CallReason,
  skills: readonly string[] = [],
): ToolResult {
  return { content, isError: true, summary, skills };
}
