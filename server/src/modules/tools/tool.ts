import type { CallReason } from '@knowhow/shared/chat/call-reason';
import type { Activation } from '@knowhow/shared/chat/chat';
import type { ModelImage } from '../models/model.ts';
import type { ActiveSkills } from '../skills/activate-skill.ts';
import type { SkillView } from '../skills/skill-view.ts';
import type { TranslatableTool } from './translate-tools.ts';

/** Trusted context of a call, kept separate from the model's arguments. */
export interface ToolContext {
  view: SkillView;
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

/** Context that decides how a tool is offered. */
export interface Offering {
  view: SkillView;
  /** Whether the prompt lists skills. */
  hasCatalogue: boolean;
  /** Whether there are more skills to search for. */
  isSearchable: boolean;
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
}

/** A function the model may call. */
export interface Tool {
  name: string;
  /** The definition to offer; undefined if there is nothing to use it on. */
  offer(offering: Offering): TranslatableTool | undefined;
  /** Never throws for invalid input; that is a result. */
  run(input: unknown, context: ToolContext): Promise<ToolResult>;
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
