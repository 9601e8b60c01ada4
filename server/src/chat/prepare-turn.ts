import type { AppConfig } from '@knowhow/shared/apps';
import type { chatApi } from '@knowhow/shared/chat';
import { localize } from '@knowhow/shared/localized';
import type { SkillsConfig } from '@knowhow/shared/skills-config';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Contents } from '../content/contents.ts';
import { guessTokens } from '../lib/count-tokens.ts';
import type { AskModel, ModelRequest } from '../models/model.ts';
import { renderCatalogue } from '../skills/catalogue.ts';
import type { SkillStore } from '../skills/skill-store.ts';
import { createSkillView } from '../skills/skill-view.ts';
import { skillsForModel } from '../tools/activate-skill-tool.ts';
import { offerTools } from '../tools/run-tool.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { TurnStart } from './begin-turn.ts';
import type { ConversationStore } from './conversation-store.ts';
import { findApp } from './find-app.ts';
import { modelHistory } from './model-history.ts';
import type { ListedModel, ModelList } from './model-list.ts';
import { startSkills } from './start-skills.ts';
import { renderSystemPrompt } from './system-prompt.ts';
import { chooseModel, findOwnConversation, positionOf } from './turn-checks.ts';
import { turnStart } from './turn-start.ts';

export type TurnBody = z.output<typeof chatApi.turn.body>;

export interface TurnRequest {
  caller: Caller;
  appId: string;
  conversationId: string;
  body: TurnBody;
  /** In which the app's prompt is wanted, such as `de`. */
  language: string;
}

export interface TurnDependencies {
  contents: () => Contents;
  skills: SkillStore;
  conversations: ConversationStore;
  models: ModelList;
}

/** All that is known before the model is asked. */
export interface PreparedTurn {
  start: TurnStart;
  request: ModelRequest;
  ask: AskModel;
  tools: ToolContext;
}

const defaultContextWindow = 32_000;
const defaultCatalogueBudget = 4000;

/**
 * Checks a turn's request and gathers what it needs: view, skills in force, system prompt, history.
 * What the caller may not see is not found.
 */
export async function prepareTurn(
  { caller, appId, conversationId, body, language }: TurnRequest,
  { contents, skills, conversations, models }: TurnDependencies,
): Promise<PreparedTurn> {
  const state = contents();
  const app = findApp(appId, caller, state);
  const conversation = await findOwnConversation(conversations, caller, conversationId, app);
  const model = chooseModel(models.usable(caller.permissions, app), body.model, conversation);
  const position = positionOf(conversation, body.replaces);
  const view = createSkillView({
    store: skills,
    config: state.skills,
    grant: caller.permissions.skills,
    apps: [app],
  });
  const usesTools = model.config.supportsTools !== false;
  const kept = conversation?.messages.slice(0, position) ?? [];
  const started = await startSkills({
    view,
    app,
    config: state.skills,
    conversation,
    kept,
    picked: body.skills ?? [],
    message: body.message,
    usesTools,
  });
  const tools: ToolContext = {
    view,
    active: started.active,
    maxActiveSkills: started.maxActiveSkills,
    modelSees: model.config.supportsVision === true,
    misses: { count: 0 },
  };
  const system = renderSystemPrompt({
    app: localize(app.system, language),
    catalogue: renderCatalogue(skillsForModel(view), catalogueBudget(state.skills)).text,
    active: started.active,
    picked: started.picked,
    usesTools,
  });
  const start = turnStart({
    caller,
    app,
    model,
    conversation,
    conversationId,
    body,
    position,
    started,
  });
  const messages = modelHistory([...kept, start.user], historyBudget(model, system));
  const request = { ...limitsOf(app), system, messages, tools: usesTools ? offerTools(tools) : [] };
  return { start, request, ask: models.open(model), tools };
}

/** Tokens that names and descriptions of skills may take. */
export function catalogueBudget({ settings }: SkillsConfig): number {
  return settings?.catalogTokenBudget ?? defaultCatalogueBudget;
}

function limitsOf(app: AppConfig): Pick<ModelRequest, 'temperature' | 'maxOutputTokens'> {
  return {
    ...(app.preferredTemperature === undefined ? {} : { temperature: app.preferredTemperature }),
    ...(app.tokenLimit === undefined ? {} : { maxOutputTokens: app.tokenLimit }),
  };
}

/** What is left of the model's window for the conversation: a guess. */
function historyBudget({ config }: ListedModel, system: string): number {
  const window = config.contextWindow ?? defaultContextWindow;
  const answer = Math.min(config.maxOutputTokens ?? window / 4, window / 2);
  return Math.max(1000, window - answer - guessTokens(system));
}
