import type { ModelConfig } from '@knowhow/shared/config/models';
import { activeSkillsOf, type Records } from '../conversations/records.ts';
import type { ModelEvent, ModelRequest, ModelUsage } from '../models/model.ts';
import type { RefusedSkill } from '../tools/tool.ts';
import type { TurnAccess } from './turn-access.ts';

/** One request to a model. */
export interface ModelStep {
  type: 'model';
  /** `router` chooses skills, `summary` makes room, `tool` is asked by a tool, `answer` is all else. */
  purpose: 'answer' | 'router' | 'summary' | 'tool';
  /** The model that was asked. */
  config: ModelConfig;
  /** What the caller might do at that moment. */
  access: TurnAccess;
  /** As it was sent; the texts are shared with the records. */
  request: ModelRequest;
  /** Ids of the skills that a router was to choose from. */
  candidates?: readonly string[] | undefined;
  /** Ids of the skills that were active. */
  active: readonly string[];
  /** Milliseconds since 1970. */
  at: number;
  /** Milliseconds from the request to its end, and to the first word or call. */
  ms: number;
  firstMs?: number;
  /** What the provider counted. */
  usage?: ModelUsage;
  stop?: 'stop' | 'length' | 'tool-calls';
  /** What the model wrote, where that is not the answer itself. */
  text: string;
  error?: unknown;
  /** Skills that the router has chosen and that were not given. */
  refused?: RefusedSkill[];
}

/** One call of a tool; what it gave is in the records, under the same number. */
export interface ToolStep {
  type: 'tool';
  /** Number of the call in the answer's `toolCalls`. */
  number: number;
  name: string;
  /** Id of its source, where it is not one of ours for skills. */
  source?: string;
  at: number;
  ms: number;
  isError: boolean;
  /** Skills that it asked for and that were not given. */
  refused?: RefusedSkill[];
  /** How many skills a search has found. */
  found?: number;
}

/** What a turn did, in its order. */
export type TurnStep = ModelStep | ToolStep;

/** Notes one request to a model. */
interface ModelNote {
  step: ModelStep;
  take(event: ModelEvent): void;
  end(): void;
}

interface Noting {
  steps: TurnStep[];
  records: Records;
  /** Counts the tokens that it takes. */
  spend?: ((tokens: number) => void) | undefined;
}

/** Adds a request to what the turn has done; its events are to be handed to `take`. */
export function noteModel(
  { steps, records, spend }: Noting,
  asked: Pick<ModelStep, 'purpose' | 'config' | 'access' | 'request' | 'candidates'>,
): ModelNote {
  const began = performance.now();
  const active = [...activeSkillsOf(records).keys()];
  const step: ModelStep = { type: 'model', ...asked, active, at: Date.now(), ms: 0, text: '' };
  steps.push(step);
  let written = 0;
  return {
    step,
    take(event) {
      written += event.type === 'text' ? event.text.length : 0;
      if (event.type === 'usage') {
        const { type: _, ...usage } = event;
        step.usage = usage;
      } else if (event.type === 'stop') {
        step.stop = event.reason;
      } else if (event.type !== 'retry') {
        step.firstMs ??= performance.now() - began;
      }
      if (event.type === 'text-was-thinking') {
        step.text = '';
      }
      if (event.type === 'text' && step.purpose !== 'answer') {
        step.text += event.text;
      }
    },
    end() {
      step.ms = performance.now() - began;
      spend?.(tokensOf(step, written));
    },
  };
}

/** What a request has taken, as its provider says; of one that was broken off before that, about. */
function tokensOf({ usage, request }: ModelStep, written: number): number {
  if (usage) {
    return usage.inputTokens + usage.outputTokens;
  }
  const sent = request.messages.reduce(
    (length, { content }) => length + content.length,
    request.system.length,
  );
  return Math.ceil((sent + written) / charactersPerToken);
}

/** Of most texts. */
const charactersPerToken = 4;
