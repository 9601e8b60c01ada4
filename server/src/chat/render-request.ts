import type { AppConfig } from '@knowhow/shared/apps';
import { localize } from '@knowhow/shared/localized';
import type { ModelRequest } from '../models/model.ts';
import type { ActiveSkills } from '../skills/activate-skill.ts';
import type { ToolContext } from '../tools/tool.ts';
import { maxActiveSkills } from './start-skills.ts';
import { renderSystemPrompt } from './system-prompt.ts';
import type { TurnAccess } from './turn-access.ts';

/** The skills of a turn: changed by its tools, and by `renewSkills`. */
export interface TurnSkills {
  active: ActiveSkills;
  /** Names of those whose instructions are in the system prompt; others are in a tool's result. */
  standing: Set<string>;
  /** Names the user chose for this message. */
  picked: readonly string[];
  misses: ToolContext['misses'];
}

/** A round's request without its messages. The same bytes for the same access and skills. */
export function renderRequest(
  { app, usesTools, offered }: TurnAccess,
  { active, standing, picked }: TurnSkills,
  language: string,
): Omit<ModelRequest, 'messages'> {
  const { catalogue, recommended, tools } = offered();
  const system = renderSystemPrompt({
    app: localize(app.system, language),
    catalogue,
    recommended,
    active: new Map([...active].filter(([name]) => standing.has(name))),
    picked: picked.filter((name) => standing.has(name)),
    usesTools,
  });
  return { ...limitsOf(app), system, tools };
}

/** What the tools that a round calls may rely on. */
export function toolContext(
  { app, config, model, offered }: TurnAccess,
  { active, misses }: TurnSkills,
): ToolContext {
  return {
    view: offered().view,
    active,
    maxActiveSkills: maxActiveSkills(app, config),
    modelSees: model.config.supportsVision === true,
    misses,
  };
}

function limitsOf(app: AppConfig): Pick<ModelRequest, 'temperature' | 'maxOutputTokens'> {
  return {
    ...(app.preferredTemperature === undefined ? {} : { temperature: app.preferredTemperature }),
    ...(app.tokenLimit === undefined ? {} : { maxOutputTokens: app.tokenLimit }),
  };
}
