import { plainName } from '@knowhow/shared/names';
import type { Caller } from '../access/caller.ts';
import type { Personal } from '../access/kept-personal.ts';
import type { TurnUsage } from '../access/quotas/quotas.ts';
import type { Contents } from '../content/contents.ts';
import type { TurnStart } from '../conversations/begin-turn.ts';
import { firstMessage, noRecords, type Records, recordsBefore } from '../conversations/records.ts';
import { forgottenLimits, isExpired } from '../conversations/skill-expiry.ts';
import type { ClaimedConversation, TurnStore } from '../conversations/turn-store.ts';
import { uuidv7 } from '../lib/uuidv7.ts';
import type { ModelToolCall } from '../models/model.ts';
import type { SkillStore } from '../skill-store/skill-store.ts';
import type { ConversationText } from '../skills/rank-for-conversation.ts';
import type { SkillRanking } from '../skills/skill-ranking.ts';
import type { CallServices } from '../tools/run-source-tool.ts';
import { findFiles } from './attached/attach-files.ts';
import { windowIn } from './correct-estimate.ts';
import { findApp } from './find-app.ts';
import type { ModelList } from './model-list.ts';
import { filledAccess } from './personal/fill-system.ts';
import { personIn } from './personal/person-in.ts';
import { instructionsToAdd } from './personal/user-instructions.ts';
import { messageTokenBudget, roomForSkills } from './render-request.ts';
import { startSkills } from './start-skills.ts';
import { suggestSkillsForMessage } from './suggest-skills.ts';
import { type AskAccess, type TurnAccess, turnAccess } from './turn-access.ts';
import {
  assertConversationNotFull,
  checkSeen,
  chooseModel,
  findOwnConversation,
  positionOf,
} from './turn-checks.ts';
import { type TurnBody, turnStart } from './turn-start.ts';
import type { TurnStep } from './turn-steps.ts';
import { turnTools } from './turn-tools.ts';

/** A program that keeps the conversation itself, and brings tools of its own. */
export interface Program {
  /** What the turn may use, with what the program brings. The same object for the same one. */
  adjust(access: TurnAccess): TurnAccess;
  /** Takes the calls that a model has made; answers those that are to be run here before it is asked again. */
  takeCalls(calls: readonly ModelToolCall[]): readonly ModelToolCall[];
}

export interface TurnRequest {
  caller: Caller;
  /** The same as things are now. Throws when they may not be here any more. */
  callerNow: () => Promise<Caller>;
  appId: string;
  conversationId: string;
  /** Id of the line that it is, where it is a second answer beside the one to the question that it `replaces`. */
  line?: string;
  body: TurnBody;
  /** In which the app's prompt is wanted, such as `de`. */
  language: string;
  /** What the turn is a part of, as in the header of W3C Trace Context. */
  traceparent?: string | undefined;
  program?: Program | undefined;
}

export interface TurnDependencies {
  contents: () => Contents;
  skills: SkillStore;
  conversations: TurnStore;
  models: ModelList;
  ranking: SkillRanking;
  /** What calls of tools of sources need; without it there are none. */
  callServices?: CallServices;
  /** Counts a turn; what is answered counts its tokens. Throws where it is too many. */
  takeTurn?: (caller: Caller) => Promise<TurnUsage>;
  /** What is kept of users; without it everybody is as somebody who has said nothing. */
  personal?: Personal;
}

/** All that is known before the model is asked. What each round asks with follows from `access`. */
export interface PreparedTurn {
  start: TurnStart;
  /** What was said so far, with the message that begins the turn and its answer. */
  records: Records;
  access: AskAccess;
  /** Who asks, as things are now. Throws when they may not be here any more. */
  callerNow: () => Promise<Caller>;
  callServices: CallServices | undefined;
  /** Ids of the tools offered so far, where not all find room; the same list until there are more. */
  keptTools: () => readonly string[];
  language: string;
  /** What the turn has done. */
  steps: TurnStep[];
  /** Counts tokens of models, where they are counted. */
  spend?: TurnUsage['spend'] | undefined;
  /** Lets other turns of the caller begin; see `TurnUsage`. */
  endUsage?: TurnUsage['end'] | undefined;
  traceparent?: string | undefined;
  program?: Program | undefined;
}

/**
 * Checks a turn's request and gathers what it begins with: access, active skills, history. What the
 * caller may not see is not found.
 */
export async function prepareTurn(
  request: TurnRequest,
  dependencies: TurnDependencies,
): Promise<PreparedTurn> {
  const { caller, callerNow, appId, conversationId, body, language, traceparent, program } =
    request;
  const { contents, conversations, models, callServices } = dependencies;
  const app = findApp(appId, caller, contents());
  const replacing = { app, replaces: body.replaces };
  const conversation = await findOwnConversation(conversations, caller, conversationId, replacing);
  const model = chooseModel(models.usable(caller.permissions, app), body.model, conversation);
  checkSeen(conversation, { conversationId, after: body.after });
  const position = positionOf(conversation, body.replaces);
  const records = recordsBefore(conversation?.records ?? noRecords(), position);
  assertConversationNotFull(records);
  const { preferences, reader } = await personIn(request, app, dependencies.personal);
  const attach = await findFiles(request, records, conversations);
  const skillsOff = skillsOffIn(body, conversation);
  const beginning = beginningOf(records, body, conversation);
  const asking = { callerNow, appId, modelId: model.config.id, skillsOff, beginning };
  const { access: ask, kept: keptTools } = turnTools(turnAccess(asking, dependencies), {
    ...{ callerNow, records, message: body.message, kept: conversation?.tools ?? [] },
    services: callServices,
  });
  const access = adjustedAccess(filledAccess(ask, reader), program);
  const first = await access();
  beginning.ranked ??= first.offered().ranked;
  const attachments = await attach({
    room: messageTokenBudget(records, first, language),
    ...first,
  });
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
    window: windowIn(records, first),
    isExpired:
      conversation !== undefined &&
      isExpired(conversation.updatedAt, forgottenLimits(contents().platform)),
    room: () => roomForSkills(records, first, { message: body.message, language }),
  });
  const instructions = instructionsToAdd(preferences, records, first.app);
  const named = await suggestSkillsForMessage(
    { message: body.message, picked: started.picked },
    records,
    first,
  );
  // The skills that have just become active may need other tools.
  await access();
  const start = turnStart({
    ...{ caller, app, model, conversation, conversationId, body, position, attachments },
    line: request.line,
    ...{ userId, started, named, instructions, skillsOff },
    ranked: beginning.ranked,
    tools: keptTools(),
  });
  addTurn(records, start);
  const usage = await dependencies.takeTurn?.(caller);
  return {
    ...{ start, records, access, callerNow, callServices, keptTools },
    ...{ language, steps: [], traceparent, program },
    ...{ spend: usage?.spend, endUsage: usage?.end },
  };
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

/** The first message, and what it brought up when it was sent: that is the same in every turn. */
function beginningOf(
  records: Records,
  { message, skills = [] }: TurnBody,
  conversation: ClaimedConversation | undefined,
): ConversationText {
  const first = firstMessage(records);
  return first
    ? { message: first.content, skills: first.skills, ranked: conversation?.ranked }
    : { message, skills: skills.map(plainName) };
}

/** What is not to be used; who picks a skill wants it after all. */
function skillsOffIn(
  { skills = [], skillsOff }: TurnBody,
  conversation: ClaimedConversation | undefined,
): ReadonlySet<string> {
  const picked = new Set(skills.map(plainName));
  const off = skillsOff ?? conversation?.skillsOff ?? [];
  return new Set(off.filter((name) => !picked.has(plainName(name))));
}
