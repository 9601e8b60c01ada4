import { localize } from '@knowhow/shared/config/localized';
import { guessTokens } from '@knowhow/shared/count-tokens';
import { addToCache } from '../../platform/lib/add-to-cache.ts';
import type { Records } from '../conversations/index.ts';
import type { ModelRequest, ModelTool } from '../models/index.ts';
import { translateRequest, translateTools } from '../tools/index.ts';
import { calibratedWindow } from './calibrated-window.ts';
import { countPromptTokens } from './message-tokens.ts';
import { joinTurns, renderTurns } from './render-turns.ts';
import { joinBlocks, type SystemBlock, systemBlocks } from './system-prompt.ts';
import type { TurnAccess } from './turn-access.ts';
import type { Reader } from './turn-messages.ts';
import { outputLimit } from './window.ts';

/**
 * Renders the request of a round from the records and what the caller may see now. It shares its prefix with the
 * previous request, unless something was removed, the window is full, or app, model or language changed.
 */
export function renderRequest(
  records: Records,
  access: TurnAccess,
  language: string,
): ModelRequest {
  const { app, model, offered, answerSchema } = access;
  const window = calibratedWindow(records, access);
  const maxOutputTokens = outputLimit(model.config, app, window);
  const request = {
    ...(app.preferredTemperature === undefined ? {} : { temperature: app.preferredTemperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    system: systemOf(access, language),
    messages: joinTurns(renderTurns(records, createReader(records, access))),
    tools: offered().tools,
    ...(answerSchema === undefined ? {} : { answerSchema }),
  };
  return translateRequest(request, languageOfTools(access, language));
}

/** The tools as sent to the model. */
export function modelTools(access: TurnAccess, language: string): ModelTool[] {
  return translateTools(access.offered().tools, languageOfTools(access, language));
}

/** The demo model only knows its tools by their English names. */
function languageOfTools({ config, model }: TurnAccess, language: string): string | undefined {
  const isOn = config.settings.translateTools && model.config.provider !== 'demo';
  return isOn ? language : undefined;
}

/** The properties of model and caller that determine how messages are rendered. */
export function createReader(records: Records, access: TurnAccess): Reader {
  const { app, model, usesTools, offered } = access;
  const { view, isUnlisted } = offered();
  return {
    model: model.config.id,
    app,
    usesTools,
    sees: model.config.supportsVision,
    isVisible: (skill) => view.find(skill) !== undefined,
    isUnlisted: (skill) => view.find(skill)?.modelInvocable === true && isUnlisted(skill),
    skillTokenBudget: calibratedWindow(records, access).skills,
  };
}

/** Tokens of the request that belong to neither the conversation nor the message: system prompt and tools. */
export function overheadTokens(access: TurnAccess, language: string): number {
  const { system, tokens } = getPrompt(access, language);
  const tools = modelTools(access, language);
  const known = tokens.get(tools) ?? countPromptTokens({ system, tools });
  tokens.set(tools, known);
  return known;
}

const minMessageTokens = 500;

/** Token budget of one message; a quarter is reserved for what follows from it. */
export function messageTokenBudget(records: Records, access: TurnAccess, language: string): number {
  const { request } = calibratedWindow(records, access);
  return Math.max(minMessageTokens, (request - overheadTokens(access, language)) * 0.75);
}

/** Token budget of skills: half of what the app's prompt, the catalogue and the message leave of the window. */
export function skillTokenBudget(
  records: Records,
  access: TurnAccess,
  { message, language }: { message: string; language: string },
): number {
  const { request } = calibratedWindow(records, access);
  const own = guessTokens({ length: systemOf(access, language).length + message.length });
  return Math.max(1000, request - own) / 2;
}

function systemOf(access: TurnAccess, language: string): string {
  return getPrompt(access, language).system;
}

/** The parts of the system prompt. */
export function getSystemBlocks(access: TurnAccess, language: string): readonly SystemBlock[] {
  return getPrompt(access, language).blocks;
}

interface Prompt {
  blocks: readonly SystemBlock[];
  system: string;
  /** Tokens of system prompt and tools, cached by the tools. */
  tokens: WeakMap<ModelTool[], number>;
}

/** Rendered and counted once per offer and text of the app, not in each turn and round. */
function getPrompt(access: TurnAccess, language: string): Prompt {
  const app = localize(access.app.system, language);
  const { tools } = access.offered();
  const byText = prompts.get(tools) ?? new Map<string, Prompt>();
  prompts.set(tools, byText);
  const key = `${access.usesTools} ${app}`;
  const known = byText.get(key);
  if (known) {
    return known;
  }
  const prompt = renderPrompt(access, app);
  addToCache(byText, { key, value: prompt, max: maxTexts });
  return prompt;
}

/** Maximum number of texts that are cached for an offer: an app's prompt may contain each user's name. */
const maxTexts = 50;
const prompts = new WeakMap<readonly ModelTool[], Map<string, Prompt>>();

function renderPrompt({ usesTools, offered }: TurnAccess, app: string): Prompt {
  const { view, catalogue } = offered();
  const hasSkills = view.skills.length > 0;
  const blocks = systemBlocks({ app, catalogue, usesTools, hasSkills });
  return { blocks, system: joinBlocks(blocks), tokens: new WeakMap() };
}
