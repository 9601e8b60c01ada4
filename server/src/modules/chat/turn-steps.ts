import type { ModelConfig } from '@knowhow/shared/config/models';
import { getActiveSkills, type Records } from '../conversations/index.ts';
import type { ModelEvent, ModelRequest, ModelUsage } from '../models/index.ts';
import type { RefusedSkill } from '../tools/index.ts';
import type { TurnAccess } from './turn-access.ts';

/** One request to a model. */
export interface ModelStep {
  type: 'model';
  /** `router` chooses skills, `summary` compacts, `tool` is a tool's request; `answer` is everything else. */
  purpose: 'answer' | 'router' | 'summary' | 'tool';
  /** The model that was asked. */
  config: ModelConfig;
  /** Permissions and offer of the caller at that moment. */
  access: TurnAccess;
  /** As sent; its texts are shared with the records. */
  request: ModelRequest;
  /** IDs of the skills that a router could choose from. */
  candidates?: readonly string[] | undefined;
  /** IDs of the skills that were active. */
  active: readonly string[];
  /** Numbers of their versions by skill ID, as far as they are known. */
  versions: Readonly<Record<string, number>>;
  /** Milliseconds since 1970. */
  at: number;
  /** Milliseconds from the request to its end, and to the first output. */
  ms: number;
  firstMs?: number;
  /** Token counts reported by the provider. */
  usage?: ModelUsage;
  stop?: 'stop' | 'length' | 'tool-calls';
  /** Text written by the model, unless it is the answer itself. */
  text: string;
  error?: unknown;
  /** Skills that the router chose but that were denied. */
  refused?: RefusedSkill[];
}

/** One tool call; its result is in the records under the same number. */
export interface ToolStep {
  type: 'tool';
  /** Index of the call in the answer's `toolCalls`. */
  number: number;
  name: string;
  /** ID of its source; absent if the tool was not offered. */
  source?: string;
  at: number;
  ms: number;
  isError: boolean;
  /** Skills that were requested but denied. */
  refused?: RefusedSkill[];
  /** Number of skills that a search found. */
  found?: number;
}

/** The steps of a turn, in order. */
export type TurnStep = ModelStep | ToolStep;

/** Records one request to a model. */
interface ModelNote {
  step: ModelStep;
  take(event: ModelEvent): void;
  end(): void;
}

interface NoteContext {
  steps: TurnStep[];
  records: Records;
  /** Counts the tokens used. */
  spend?: ((tokens: number) => void) | undefined;
}

/** Adds a request to the turn's steps; pass its events to `take`. */
export function noteModel(
  { steps, records, spend }: NoteContext,
  asked: Pick<ModelStep, 'purpose' | 'config' | 'access' | 'request' | 'candidates'>,
): ModelNote {
  const began = performance.now();
  const step: ModelStep = {
    type: 'model',
    ...asked,
    ...nameActive(records),
    at: Date.now(),
    ms: 0,
    text: '',
  };
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
      spend?.(countUsedTokens(step, written));
    },
  };
}

function nameActive(records: Records): Pick<ModelStep, 'active' | 'versions'> {
  const active = getActiveSkills(records);
  const versions = [...active].flatMap(
    ([
      name,
      {
        activation: { version },
      },
    ]) => (version ? [[name, version.number] as const] : []),
  );
  return { active: [...active.keys()], versions: Object.fromEntries(versions) };
}

/** Tokens of a request as reported by its provider, or an estimate if it was interrupted. */
function countUsedTokens({ usage, request }: ModelStep, written: number): number {
  if (usage) {
    return usage.inputTokens + usage.outputTokens;
  }
  const sent = request.messages.reduce(
    (length, { content }) => length + content.length,
    request.system.length,
  );
  return Math.ceil((sent + written) / charactersPerToken);
}

/** Average for most texts. */
const charactersPerToken = 4;
