import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { Caller, TurnUsage } from '../identity/index.ts';
import type { SkillView } from '../skills/index.ts';
import {
  type CallServices,
  callWithoutTurn,
  type OfferedTool,
  runTool,
  type ToolResult,
} from '../tools/index.ts';
import type { ModelList } from './model-list.ts';
import { standaloneTextModel } from './text-model.ts';

interface StandaloneCall {
  caller: Caller;
  /** The app whose first model answers the tool's sampling requests. */
  app: AppConfig | undefined;
  view: SkillView;
  /** Tools that this tool may call. */
  others: readonly OfferedTool[];
  signal: AbortSignal;
}

interface Services {
  callServices: CallServices;
  models: ModelList;
  takeTurn?: ((caller: Caller) => Promise<TurnUsage>) | undefined;
}

/**
 * Calls a tool outside any conversation. No user can be asked, so missing consent is a refusal and the tool's
 * questions stay unanswered.
 */
export async function callWithoutConversation(
  offered: OfferedTool,
  input: unknown,
  { caller, app, view, others, signal }: StandaloneCall,
  { callServices, models, takeTurn }: Services,
): Promise<{ result: ToolResult; ms: number }> {
  const services = {
    ...callServices,
    questions: {
      open: async () => ({ expiresAt: '', answered: unanswered }),
      answer: async () => false,
    },
  };
  const model = app && standaloneTextModel({ caller, app, models, takeTurn, signal });
  const running = {
    ...callWithoutTurn(view, view.skills),
    callerNow: async () => caller,
    signal,
    conversationId: '',
    emit: () => undefined,
    ...(model ? { model } : {}),
    others: new Map(others.map((other) => [other.name, other])),
  };
  return runTool(offered, { id: 'alone', name: offered.name, input }, { running, services });
}

const unanswered = Promise.resolve(undefined);
