import type { CallReason } from '@knowhow/shared/chat/call-reason';
import type { Activation } from '@knowhow/shared/chat/chat';
import type { ModelImage } from '../models/model.ts';
import type { ActiveSkills } from '../skills/activate-skill.ts';
import type { SkillView } from '../skills/skill-view.ts';
import type { TranslatableTool } from './translate-tools.ts';

/** What a tool may rely on, as things are now. Never mixed with the model's arguments. */
export interface ToolContext {
  view: SkillView;
  active: ActiveSkills;
  maxActiveSkills: number;
  modelSees: boolean;
  /** Tokens that a result may have. */
  resultRoom: number;
  /** The longest text of a skill that is given whole, in tokens. */
  longestSkill: number;
  /** Files asked for in this turn that are not there: counted by the tool. */
  misses: { count: number };
}

/** What a tool is offered for. */
export interface Offering {
  view: SkillView;
  /** Whether the prompt lists skills. */
  hasCatalogue: boolean;
  /** Whether there are skills that it leaves to be searched. */
  isSearchable: boolean;
}

/** What the model gets, and what the user is shown. */
export interface ToolResult {
  content: string;
  isError: boolean;
  /** A few words for the line in the chat. */
  summary: string;
  images?: ModelImage[];
  /** The same as `content`, as data: what a flow goes on with. */
  structured?: unknown;
  /** A text that ends the answer: the user gets it as it is, and the model is not asked again. */
  directOutput?: string;
  /** What it has made, for the user. */
  files?: readonly NewFile[];
  /** The skill that became active by this call. */
  activation?: Activation;
  /** Ids of the skills whose texts, files or names are in it: none of it stays when one is withdrawn. */
  skills?: readonly string[];
  /** A skill that was asked for and not given. */
  refused?: RefusedSkill;
  /** How many skills a search has found. */
  found?: number;
}

/** A file that a tool has made. */
export interface NewFile {
  name: string;
  /** As it was found out from its bytes. */
  type: string;
  bytes: Uint8Array;
}

export interface RefusedSkill {
  /** As it was asked for: not always the name of one that there is. */
  name: string;
  /** `limit` where there was no room for one more. */
  why: 'not-available' | 'limit';
}

/** A function the model may call. */
export interface Tool {
  name: string;
  /** How it is offered in a round; undefined when there is nothing to use it on. */
  offer(offering: Offering): TranslatableTool | undefined;
  /** Never throws for what the model sent: a wrong argument is a result that says so. */
  run(input: unknown, context: ToolContext): Promise<ToolResult>;
}

/**
 * A result that says to the model what to do differently.
 *
 * @param skills ids of the skills it mentions
 */
export function refusal(
  content: string,
  summary: CallReason,
  skills: readonly string[] = [],
): ToolResult {
  return { content, isError: true, summary, skills };
}
