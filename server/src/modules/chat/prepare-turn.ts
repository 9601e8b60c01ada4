import type { AppConfig } from '@knowhow/shared/config/app-config';
import { countTokens } from '@knowhow/shared/count-tokens';
import { plainName } from '@knowhow/shared/names';
import { uuidv7 } from '../../platform/lib/uuidv7.ts';
import type { Contents } from '../content/index.ts';
import {
  type ClaimedConversation,
  emptyRecords,
  firstMessage,
  getActiveSkills,
  getExpiryLimits,
  isExpired,
  type Records,
  recordsBefore,
  type SuggestedSkill,
  type TurnStart,
  type TurnStore,
} from '../conversations/index.ts';
import type { Caller, PersonalDataStore, TurnUsage } from '../identity/index.ts';
import type { ModelToolCall } from '../models/index.ts';
import {
  type ConversationText,
  cataloguedDescription,
  isReplaced,
  renderFullCatalogue,
  type SkillRanking,
  type SkillStore,
  type VisibleSkill,
} from '../skills/index.ts';
import type { CallServices } from '../tools/index.ts';
import { findFiles } from './attached/attach-files.ts';
import { calibratedWindow } from './calibrated-window.ts';
import { findApp } from './find-app.ts';
import type { ListedModel, ModelList } from './model-list.ts';
import { filledAccess } from './personal/fill-system.ts';
import { loadPersonalContext } from './personal/load-personal-context.ts';
import { instructionsToAdd } from './personal/user-instructions.ts';
import { messageTokenBudget, skillTokenBudget } from './render-request.ts';
import type { RunningTurns } from './running-turns.ts';
import { startSkills } from './start-skills.ts';
import { type AskAccess, isRouted, type TurnAccess, turnAccess } from './turn-access.ts';
import {
  assertConversationNotFull,
  checkSeen,
  chooseModel,
  findOwnConversation,
  findPosition,
  turnRunning,
} from './turn-checks.ts';
import { createTurnStart, type TurnBody } from './turn-start.ts';
import type { TurnStep } from './turn-steps.ts';
import { type TurnTools, turnTools } from './turn-tools.ts';

/** An API client that keeps the conversation itself and brings its own tools. */
export interface Program {
  /** Adds the program's tools to what the turn may use. Returns the same object for the same access. */
  adjust(access: TurnAccess): TurnAccess;
  /** Takes the model's tool calls; returns those that the server must run before it asks again. */
  takeCalls(calls: readonly ModelToolCall[]): readonly ModelToolCall[];
}

export interface TurnRequest {
  caller: Caller;
  /** The caller with current permissions. Throws if their access has been revoked. */
  callerNow: () => Promise<Caller>;
  appId: string;
  conversationId: string;
  /** ID of the comparison branch, if this is a second answer to the question that it `replaces`. */
  comparisonBranch?: string;
  body: TurnBody;
  /** Language tag of the app's prompt, such as `de`. */
  language: string;
  /** The parent span, as a W3C Trace Context `traceparent` header. */
  traceparent?: string | undefined;
  program?: Program | undefined;
}

export interface TurnDependencies {
  contents: () => Contents;
  skills: SkillStore;
  conversations: TurnStore;
  models: ModelList;
  ranking: SkillRanking;
  /** Services that calls of sources' tools need; without them no such tools are offered. */
  callServices?: CallServices;
  /** Counts a turn against the quota; the result counts its tokens. Throws if the quota is used up. */
  takeTurn?: (caller: Caller) => Promise<TurnUsage>;
  /** Without it, no comparison answer can be running. */
  runningTurns?: Pick<RunningTurns, 'find'>;
  /** User preferences. If omitted, no user has any. */
  personal?: PersonalDataStore;
}

/** Everything known before the model is asked. What each round may use comes from `access`. */
export interface PreparedTurn {
  start: TurnStart;
  /** The conversation so far, with the new message and its answer. */
  records: Records;
  access: AskAccess;
  /** The caller with current permissions. Throws if their access has been revoked. */
  callerNow: () => Promise<Caller>;
  callServices: CallServices | undefined;
  /** IDs of the tools offered so far, if not all fit; the same array until there are more. */
  offeredToolIds: () => readonly string[];
  language: string;
  /** Steps of the turn so far. */
  steps: TurnStep[];
  /** Counts model tokens against the quota, if there is one. */
  spend?: TurnUsage['spend'] | undefined;
  /** Releases the caller's slot for other turns; see `TurnUsage`. */
  endUsage?: TurnUsage['end'] | undefined;
  traceparent?: string | undefined;
  program?: Program | undefined;
}

/**
 * Checks a turn's request and gathers its input: access, active skills and history. What the caller may not see is
 * reported as not found.
 */
export async function prepareTurn(
  request: TurnRequest,
  dependencies: TurnDependencies,
): Promise<PreparedTurn> {
  const { caller, callerNow, conversationId, body, language, traceparent, program } = request;
  const { conversations, callServices } = dependencies;
  const opened = await openConversation(request, dependencies);
  const { app, conversation, model, position, records, skillsOff, opening } = opened;
  const { preferences, reader } = await loadPersonalContext(request, app, dependencies.personal);
  const attach = await findFiles(request, records, conversations);
  const tools = openTools(request, opened, dependencies);
  const access = adjustedAccess(filledAccess(tools.access, reader), program);
  const first = await access();
  opening.ranked ??= first.offered().ranked;
  const tokenBudget = messageTokenBudget(records, first, language);
  const attachments = await attach({ tokenBudget, ...first });
  const userId = uuidv7();
  const started = await startSkills({
    ...first,
    view: first.offered().view,
    records,
    userId,
    picked: body.skills ?? [],
    pickedVia: program ? 'api' : 'slash',
    skillsOff,
    message: body.message,
    window: calibratedWindow(records, first),
    isExpired:
      conversation !== undefined &&
      isExpired(conversation.updatedAt, getExpiryLimits(dependencies.contents().platform)),
    room: () => skillTokenBudget(records, first, { message: body.message, language }),
  });
  const instructions = instructionsToAdd(preferences, records, first.app);
  const message = { message: body.message, picked: started.picked };
  const named = await suggestSkillsForMessage(message, records, first);
  // Refreshes access, because newly active skills may need other tools.
  await access();
  const start = createTurnStart({
    caller,
    app,
    model,
    conversation,
    conversationId,
    line: request.comparisonBranch,
    body,
    position,
    attachments,
    userId,
    started,
    named,
    instructions,
    skillsOff,
    ranked: opening.ranked,
    tools: tools.kept(),
  });
  addTurn(records, start);
  const usage = await dependencies.takeTurn?.(caller);
  return {
    start,
    records,
    access,
    callerNow,
    callServices,
    offeredToolIds: tools.kept,
    language,
    steps: [],
    spend: usage?.spend,
    endUsage: usage?.end,
    traceparent,
    program,
  };
}

/** The conversation that a turn continues, up to the new message. */
interface OpenedConversation {
  app: AppConfig;
  /** Undefined for a new one. */
  conversation: ClaimedConversation | undefined;
  model: ListedModel;
  /** Position of the new message. */
  position: number;
  records: Records;
  /** Skills that are switched off in it. */
  skillsOff: ReadonlySet<string>;
  opening: ConversationText;
}

async function openConversation(
  request: TurnRequest,
  dependencies: TurnDependencies,
): Promise<OpenedConversation> {
  const { caller, appId, conversationId, body } = request;
  const { contents, conversations, models } = dependencies;
  const app = findApp(appId, caller, contents());
  const replacing = { app, replaces: body.replaces };
  const conversation = await findOwnConversation(conversations, caller, conversationId, replacing);
  await assertNoRunningComparison(request, conversation, dependencies);
  const model = chooseModel(models.usable(caller.permissions, app), body.model, conversation);
  checkSeen(conversation, { conversationId, after: body.after });
  const position = findPosition(conversation, body.replaces);
  const records = recordsBefore(conversation?.records ?? emptyRecords(), position);
  assertConversationNotFull(records);
  const skillsOff = switchedOffSkills(body, conversation);
  const opening = openingText(records, body, conversation);
  return { app, conversation, model, position, records, skillsOff, opening };
}

/** The turn's access, before its program or the user's answers change it. */
function openTools(
  { callerNow, appId, body }: TurnRequest,
  { conversation, model, records, skillsOff, opening }: OpenedConversation,
  dependencies: TurnDependencies,
): TurnTools {
  const modelId = model.config.id;
  const ask = turnAccess(
    { callerNow, appId, modelId, skillsOff, beginning: opening },
    dependencies,
  );
  return turnTools(ask, {
    callerNow,
    records,
    message: body.message,
    kept: conversation?.tools ?? [],
    services: dependencies.callServices,
  });
}

/** Throws `turn-running` if a comparison answer is being written in the conversation that the turn continues. */
async function assertNoRunningComparison(
  { comparisonBranch }: TurnRequest,
  conversation: ClaimedConversation | undefined,
  { runningTurns }: TurnDependencies,
): Promise<void> {
  const open = comparisonBranch === undefined ? conversation?.comparisonBranch : undefined;
  if (open !== undefined && (await runningTurns?.find(open))) {
    throw turnRunning();
  }
}

function adjustedAccess(ask: AskAccess, program: Program | undefined): AskAccess {
  return program ? async () => program.adjust(await ask()) : ask;
}

function addTurn(records: Records, { user, answer, named, instructions }: TurnStart): void {
  records.messages.push(user, answer);
  records.named.set(user.id, named);
  if (instructions) {
    records.instructions.set(user.id, instructions);
  }
}

/** The first message and the skills that it ranked; they are the same in every turn. */
function openingText(
  records: Records,
  { message, skills = [] }: TurnBody,
  conversation: ClaimedConversation | undefined,
): ConversationText {
  const first = firstMessage(records);
  return first
    ? { message: first.content, skills: first.skills, ranked: conversation?.ranked }
    : { message, skills: skills.map(plainName) };
}

/** Skills that the user switched off. Picking a skill switches it on again. */
function switchedOffSkills(
  { skills = [], skillsOff }: TurnBody,
  conversation: ClaimedConversation | undefined,
): ReadonlySet<string> {
  const picked = new Set(skills.map(plainName));
  const off = skillsOff ?? conversation?.skillsOff ?? [];
  return new Set(off.filter((name) => !picked.has(plainName(name))));
}

/** Maximum number of skills suggested for a message. */
const maxSuggested = 5;

/** Minimum score relative to the best; lower matches share only a common word. */
const minRelativeScore = 1 / 3;

/** Maximum number of ranked skills searched for ones that a model may pick. */
const maxRanked = 20;

const maxTokens = 1000;

/** Maximum share of the request's token budget. */
const maxShare = 1 / 20;

/**
 * Suggests skills for a message, with full descriptions. Skips those the model already knows: from the ranked
 * catalogue, an earlier message that it still reads, or because they are active.
 *
 * @param records of the conversation, without this message
 */
async function suggestSkillsForMessage(
  { message, picked }: { message: string; picked: readonly string[] },
  records: Records,
  access: TurnAccess,
): Promise<SuggestedSkill[]> {
  const { view, isRanked, isUnlisted } = access.offered();
  // The catalogue is ranked by the first message, and a skill router ranks for each message.
  if (!isRanked || records.messages.length === 0 || isRouted(picked, access)) {
    return [];
  }
  const known = previouslySuggested(records);
  const active = getActiveSkills(records);
  const isNew = ({ id }: VisibleSkill) => isUnlisted(id) && !known.has(id) && !active.has(id);
  const { request } = calibratedWindow(records, access);
  let budget = Math.min(maxTokens, request * maxShare);
  await view.understand(message);
  const ranked = view.rank(message, maxRanked);
  const minScore = (ranked[0]?.score ?? 0) * minRelativeScore;
  return ranked
    .filter(({ score }) => score >= minScore)
    .map(({ skill }) => skill)
    .filter((skill) => skill.modelInvocable && !isReplaced(view, skill))
    .slice(0, maxSuggested)
    .filter(isNew)
    .filter((skill) => {
      const tokens = countTokens(renderFullCatalogue([skill]));
      const fits = tokens <= budget;
      budget -= fits ? tokens : 0;
      return fits;
    })
    .map((skill) => ({ id: skill.id, description: cataloguedDescription(skill) }));
}

/** IDs of the skills suggested by messages that are still in the context. */
function previouslySuggested({
  messages,
  compactions,
  named,
  earlier,
}: Records): ReadonlySet<string> {
  const asked = messages.filter(({ role }) => role === 'user');
  const read = asked.slice((compactions.at(-1)?.keptFrom ?? 0) - (earlier?.turns ?? 0));
  return new Set(read.flatMap(({ id }) => (named.get(id) ?? []).map((skill) => skill.id)));
}
