import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ChatEvent } from '@knowhow/shared/chat/chat';
import { appConfigSchema } from '@knowhow/shared/config/app-config';
import { problem } from '@knowhow/shared/problem';
import type { ReplayEvent, ReplaySide } from '@knowhow/shared/skills/skill-drafts';
import type { Log } from '../../../platform/lib/log.ts';
import {
  type ModelList,
  openJournal,
  prepareTurn,
  runTurn,
  type TurnDependencies,
  toTurnError,
} from '../../chat/index.ts';
import { createDryRunStore } from '../../conversations/index.ts';
import { type Caller, grants, type Quotas } from '../../identity/index.ts';
import {
  findMain,
  getSkillSettings,
  locateManifest,
  parseSkill,
  type StoredDraft,
  type StoredSkill,
} from '../../skills/index.ts';
import { findPublished } from './published-skill.ts';
import type { SkillAdmin } from './skill-admin.ts';

export interface ReplayTools extends SkillAdmin {
  models: ModelList;
  quotas: Pick<Quotas, 'begin'>;
  log: Log;
  /** Serializes the reading of large drafts, which would delay other requests. */
  oneAtATime: <Done>(work: () => Promise<Done>) => Promise<Done>;
}

interface ReplayRequest {
  skill: string;
  caller: Caller;
  message: string;
  model: string;
  language: string;
}

/** Runs until both sides have ended, or the signal. Never rejects: the last event of a side reports its error. */
type Replay = (stop: AbortSignal, onEvent: (event: ReplayEvent) => void) => Promise<void>;

/** Maximum duration of a side, in milliseconds. */
const maxMs = 5 * 60_000;
/** A side that has written this many characters is stopped. */
const maxCharacters = 100_000;

/** An app with one skill and no prompt. */
const bareApp = appConfigSchema.parse({ id: 'replay', name: '', skills: ['*'] });

/**
 * Prepares the answers to a message by the published version and by the draft of a skill, each as the only skill of a
 * conversation, in which it is active. Each side counts as a turn of the caller. Throws a problem if there is no draft, if its
 * SKILL.md cannot be offered, or if the caller cannot use the model.
 */
export async function prepareReplay(tools: ReplayTools, request: ReplayRequest): Promise<Replay> {
  const { caller, model } = request;
  if (!tools.models.usable(caller.permissions, bareApp).some(({ config }) => config.id === model)) {
    throw problem('invalid-request', `You cannot use the model '${model}'. Choose another one.`, {
      issues: [{ path: 'model', code: 'unknown', message: `There is no model '${model}'.` }],
    });
  }
  const published = await findPublished(tools, request.skill);
  const { skill: draft } = await openDraftSkill(tools, published.name);
  const sides: { side: ReplaySide; skill: StoredSkill }[] = [
    ...(published.entry?.stored
      ? [{ side: 'published' as const, skill: published.entry.stored }]
      : []),
    { side: 'draft', skill: draft },
  ];
  return async (stop, onEvent) => {
    onEvent({ type: 'start', sides: sides.map(({ side }) => side) });
    await Promise.all(sides.map((each) => answer(tools, { ...request, ...each, stop }, onEvent)));
  };
}

/** The draft, and as a skill that can be offered. Throws `not-found`. */
export async function openDraftSkill(
  { drafts, versions }: SkillAdmin,
  name: string,
): Promise<{ draft: StoredDraft; skill: StoredSkill }> {
  const draft = await drafts.get(name);
  const main = draft && findMain(draft.manifest);
  const location = draft && (await locateManifest(versions, name, draft.manifest));
  const bytes = main && (await versions.content(main));
  if (!location || !bytes) {
    throw problem('not-found', `Skill "${name}" has no draft with a SKILL.md. Save one first.`);
  }
  return { draft, skill: { ...parseSkill(bytes, name).skill, ...location, updatedAt: 0 } };
}

interface Side extends Omit<ReplayRequest, 'skill'> {
  side: ReplaySide;
  skill: StoredSkill;
  stop: AbortSignal;
}

async function answer(
  tools: ReplayTools,
  { side, skill, message, model, caller, language, stop }: Side,
  onEvent: (event: ReplayEvent) => void,
): Promise<void> {
  const began = performance.now();
  const usage = { inputTokens: 0, outputTokens: 0 };
  const tooLong = new AbortController();
  const signal = AbortSignal.any([stop, tooLong.signal, AbortSignal.timeout(maxMs)]);
  let written = 0;
  let failure: ReturnType<typeof toTurnError> | undefined;
  const send = (event: ChatEvent) => {
    if (event.type === 'chunk') {
      written += event.content.length;
      onEvent({ type: 'text', side, text: event.content });
      if (written > maxCharacters) {
        tooLong.abort(problem('model-interrupted', 'The answer is too long for a comparison.'));
      }
    } else if (event.type === 'chunk.was-thinking') {
      onEvent({ type: 'retract', side, characters: event.characters });
    } else if (event.type === 'usage') {
      usage.inputTokens += event.inputTokens;
      usage.outputTokens += event.outputTokens;
    } else if (event.type === 'error') {
      const { type: _, ...error } = event;
      failure = error;
    }
    return undefined;
  };
  try {
    const conversations = createDryRunStore();
    const everything = { apps: 'all', skills: 'all' } as const;
    const asker = { ...caller, permissions: { ...caller.permissions, ...everything } };
    const turn = await tools.oneAtATime(async () => {
      await yieldToEventLoop();
      signal.throwIfAborted();
      return prepareTurn(
        {
          caller: asker,
          callerNow: async () => asker,
          appId: bareApp.id,
          conversationId: randomUUID(),
          body: { message, model, skills: [skill.id] },
          language,
        },
        { ...worldWith(tools, skill), conversations, takeTurn: tools.quotas.begin },
      );
    });
    const journalTools = { conversations, log: tools.log, observers: [], signal, send };
    await runTurn(turn, { journal: await openJournal(turn, journalTools), log: tools.log });
  } catch (error) {
    failure = toTurnError(error, grants(caller.permissions.adminAccess, 'models'));
  }
  const ms = Math.round(performance.now() - began);
  onEvent(failure ? { type: 'error', side, ...failure } : { type: 'end', side, ...usage, ms });
}

/** The current state, with one app and one skill in it. */
function worldWith(
  { contents, skills, models, index }: ReplayTools,
  skill: StoredSkill,
): Omit<TurnDependencies, 'conversations'> {
  const state = contents();
  const settings = { ...getSkillSettings(skill.id, state.skills), enabled: true };
  const changed = {
    ...state,
    apps: new Map([[bareApp.id, bareApp]]),
    skills: { ...state.skills, skills: { [skill.id]: settings } },
  };
  const snapshot = {
    skills: new Map([[skill.id, skill]]),
    shadowed: [],
    unreadable: [],
    versions: new Map(),
  };
  return {
    contents: () => changed,
    skills: { ...skills, snapshot, getPersonal: () => [] },
    models,
    ranking: index.ranking,
  };
}
