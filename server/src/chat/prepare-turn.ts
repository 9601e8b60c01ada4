import type { Conversation } from '@knowhow/shared/conversations';
import { plainName } from '@knowhow/shared/names';
import type { Caller } from '../access/caller.ts';
import type { Contents } from '../content/contents.ts';
import { guessTokens } from '../lib/count-tokens.ts';
import type { ModelMessage } from '../models/model.ts';
import type { SkillStore } from '../skill-store/skill-store.ts';
import type { TurnStart } from './begin-turn.ts';
import type { ConversationStore } from './conversation-store.ts';
import { findApp } from './find-app.ts';
import { modelHistory } from './model-history.ts';
import type { ListedModel, ModelList } from './model-list.ts';
import { renderRequest, type TurnSkills } from './render-request.ts';
import { startSkills } from './start-skills.ts';
import { type AskAccess, type TurnAccess, turnAccess } from './turn-access.ts';
import {
  checkRoom,
  checkSeen,
  chooseModel,
  findOwnConversation,
  positionOf,
} from './turn-checks.ts';
import { type TurnBody, turnStart } from './turn-start.ts';

export interface TurnRequest {
  caller: Caller;
  /** The same as things are now. Throws when they may not be here any more. */
  callerNow: () => Promise<Caller>;
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

/** All that is known before the model is asked. What each round asks with follows from `access`. */
export interface PreparedTurn {
  start: TurnStart;
  /** What was said so far, with the message that begins the turn. */
  history: ModelMessage[];
  skills: TurnSkills;
  access: AskAccess;
  language: string;
}

const defaultContextWindow = 32_000;

/**
 * Checks a turn's request and gathers what it begins with: access, active skills, history. What the
 * caller may not see is not found.
 */
export async function prepareTurn(
  request: TurnRequest,
  dependencies: TurnDependencies,
): Promise<PreparedTurn> {
  const { caller, callerNow, appId, conversationId, body, language } = request;
  const { contents, conversations, models } = dependencies;
  const app = findApp(appId, caller, contents());
  const conversation = await findOwnConversation(conversations, caller, conversationId, app);
  const model = chooseModel(models.usable(caller.permissions, app), body.model, conversation);
  checkSeen(conversation, body.after);
  const position = positionOf(conversation, body.replaces);
  const kept = conversation?.messages.slice(0, position) ?? [];
  checkRoom(kept);
  const skillsOff = skillsOffIn(body, conversation);
  const access = turnAccess(
    { callerNow, appId, modelId: model.config.id, skillsOff },
    dependencies,
  );
  const first = await access();
  const started = await startSkills({
    ...first,
    view: first.offered().view,
    conversation,
    kept,
    picked: body.skills ?? [],
    skillsOff,
    message: body.message,
    room: () => roomForSkills(model, first, { language, message: body.message }),
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
    skillsOff,
  });
  const { active, picked } = started;
  const skills = { active, standing: new Set(active.keys()), picked, misses: { count: 0 } };
  const { system } = renderRequest(first, skills, language);
  const history = modelHistory([...kept, start.user], historyBudget(model, system));
  return { start, history, skills, access, language };
}

/** What is not to be used; who picks a skill wants it after all. */
function skillsOffIn(
  { skills = [], skillsOff }: TurnBody,
  conversation: Conversation | undefined,
): ReadonlySet<string> {
  const picked = new Set(skills.map(plainName));
  const off = skillsOff ?? conversation?.skillsOff ?? [];
  return new Set(off.filter((name) => !picked.has(plainName(name))));
}

/** Half of what the app's prompt, the catalogue and the message leave of the model's window. */
function roomForSkills(
  model: ListedModel,
  access: TurnAccess,
  { language, message }: { language: string; message: string },
): number {
  const { system } = renderRequest(access, noSkills, language);
  return historyBudget(model, system + message) / 2;
}

const noSkills: TurnSkills = {
  active: new Map(),
  standing: new Set(),
  picked: [],
  misses: { count: 0 },
};

/** What is left of the model's window for the conversation: a guess. */
function historyBudget({ config }: ListedModel, system: string): number {
  const window = config.contextWindow ?? defaultContextWindow;
  const answer = Math.min(config.maxOutputTokens ?? window / 4, window / 2);
  return Math.max(1000, window - answer - guessTokens(system));
}
