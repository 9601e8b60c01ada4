import type { AppConfig } from '@knowhow/shared/apps';
import { localize } from '@knowhow/shared/localized';
import { guessTokens } from '../lib/count-tokens.ts';
import type { ModelRequest } from '../models/model.ts';
import type { ListedModel } from './model-list.ts';
import type { Records } from './records.ts';
import { renderMessages } from './render-messages.ts';
import { renderSystemPrompt } from './system-prompt.ts';
import type { TurnAccess } from './turn-access.ts';

const defaultContextWindow = 32_000;

/**
 * The request of a round, from what is recorded and what the caller may see now. It begins with the bytes of
 * the one before, unless something was taken away, the window is full, or app, model or language are others.
 */
export function renderRequest(
  records: Records,
  access: TurnAccess,
  language: string,
): ModelRequest {
  const { app, model, usesTools, offered } = access;
  const { view, tools } = offered();
  const system = systemOf(access, language);
  const messages = renderMessages(records, {
    model: model.config.id,
    usesTools,
    isVisible: (skill) => view.find(skill) !== undefined,
    budget: historyBudget(model, system),
  });
  return { ...limitsOf(app), system, messages, tools };
}

/** Half of what the app's prompt, the catalogue and the message leave of the model's window. */
export function roomForSkills(access: TurnAccess, message: string, language: string): number {
  return historyBudget(access.model, systemOf(access, language) + message) / 2;
}

function systemOf({ app, usesTools, offered }: TurnAccess, language: string): string {
  const { view, catalogue, recommended } = offered();
  return renderSystemPrompt({
    app: localize(app.system, language),
    catalogue,
    recommended,
    usesTools,
    hasSkills: view.skills.length > 0,
  });
}

/** What is left of the model's window for the conversation: a guess. */
function historyBudget({ config }: ListedModel, system: string): number {
  const window = config.contextWindow ?? defaultContextWindow;
  const answer = Math.min(config.maxOutputTokens ?? window / 4, window / 2);
  return Math.max(1000, window - answer - guessTokens(system));
}

function limitsOf(app: AppConfig): Pick<ModelRequest, 'temperature' | 'maxOutputTokens'> {
  return {
    ...(app.preferredTemperature === undefined ? {} : { temperature: app.preferredTemperature }),
    ...(app.tokenLimit === undefined ? {} : { maxOutputTokens: app.tokenLimit }),
  };
}
