import type { EndReason } from '@knowhow/shared/chat/chat';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import { problem } from '@knowhow/shared/problem';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import {
  type ActivationRecord,
  addActivation,
  findUnreportedExpirations,
  getActiveSkills,
  type Records,
} from '../conversations/index.ts';
import {
  type ActivationResult,
  activateSkill,
  reloadSkill,
  type SkillView,
} from '../skills/index.ts';
import { alwaysUsed, getBlockNote, getEndReason } from './get-end-reason.ts';
import type { Window } from './window.ts';

interface SkillStart {
  view: SkillView;
  app: AppConfig;
  config: SkillsConfig;
  /** The conversation's records; activations are added to them. */
  records: Records;
  /** ID of the user's message. */
  userId: string;
  /** Skills that the user picked for this message. */
  picked: readonly string[];
  /** How they were picked: in a chat message or through the OpenAI-compatible API. */
  pickedVia: 'slash' | 'api';
  /** Skills that the user switched off in this conversation. */
  skillsOff: ReadonlySet<string>;
  /** The user's text, passed to the picked skills as arguments. */
  message: string;
  usesTools: boolean;
  window: Pick<Window, 'skill' | 'skills'>;
  /** Whether the conversation was inactive for so long that its skills expire. */
  isExpired: boolean;
  /** Token budget of skills that are activated automatically. */
  room: () => number;
}

/** Changes made to the records. */
export interface StartedSkills {
  /** IDs of the skills the user picked. */
  picked: string[];
  activated: ActivationRecord[];
  /** Ended skills that the user is told about. */
  ended: ActivationRecord[];
  /** Skills that ended between two messages. */
  expired: ActivationRecord[];
  /** Activations that were stored without their text and were loaded again. */
  reloaded: ActivationRecord[];
}

/** Revalidates the active skills at the start of a turn and activates the picked ones. */
export async function startSkills(start: SkillStart): Promise<StartedSkills> {
  const { app } = start;
  const started: StartedSkills = {
    picked: [],
    activated: [],
    ended: [],
    expired: [],
    reloaded: [],
  };
  await revalidateActiveSkills(start, started);
  await activateAlwaysUsed(start, started);
  const activeBefore = [...getActiveSkills(start.records).keys()];
  for (const name of start.picked) {
    await pick(name, start, started, activeBefore);
  }
  if (!start.usesTools && app.skillSettings.autoActivate) {
    await activateAll(start, started);
  }
  started.ended.push(...findUnreportedExpirations(start.records));
  return started;
}

/** Maximum number of active skills in a conversation of this app. */
export function maxActiveSkills(app: AppConfig, { settings }: SkillsConfig): number {
  const maximum = settings.maxSkillsPerRequest;
  return Math.min(app.skillSettings.maxActiveSkills ?? maximum, maximum);
}

/** An active skill keeps the text it was activated with, as long as the caller may see it. */
async function revalidateActiveSkills(start: SkillStart, started: StartedSkills): Promise<void> {
  const { view, records, skillsOff } = start;
  for (const record of records.activations.filter(({ end }) => !end)) {
    const { name } = record.activation;
    const reloaded =
      record.content === '' ? await reloadSkill(view, record.activation) : view.find(name);
    const reason =
      getEndReason(record.activation, start) ?? (reloaded ? undefined : 'not-available');
    if (start.isExpired && record.activation.via !== 'app' && !reason) {
      record.end = { reason: 'limit' };
      started.expired.push(record);
    } else if (reason) {
      end(record, skillsOff.has(name) ? 'user' : reason, start, started);
    } else if (reloaded && 'content' in reloaded) {
      Object.assign(record, reloaded);
      started.reloaded.push(record);
    }
  }
}

function end(
  record: ActivationRecord,
  reason: EndReason,
  { userId, config }: SkillStart,
  { ended }: StartedSkills,
): void {
  const note = getBlockNote(record.activation.name, reason, config);
  record.end = { reason, note, inTurnOf: userId };
  ended.push(record);
}

/**
 * Activates the app's automatic skills, except those the user ended. If too many would be active, the oldest others
 * end. If over budget, only the skill's name is included.
 */
async function activateAlwaysUsed(start: SkillStart, started: StartedSkills): Promise<void> {
  const { view, app, config, records, window } = start;
  const maximum = maxActiveSkills(app, config);
  const wanted = alwaysUsed(view, app, maximum).filter((name) => !isEndedByUser(name, records));
  const active = getActiveSkills(records);
  const missing = wanted.filter((name) => !active.has(name));
  const optional = [...active.keys()].filter((name) => !wanted.includes(name));
  const excess = Math.max(0, active.size + missing.length - maximum);
  for (const name of optional.slice(0, excess)) {
    const record = records.activations.find((each) => each.activation.name === name && !each.end);
    if (record) {
      end(record, 'limit', start, started);
    }
  }
  let budget = missing.length > 0 ? Math.min(window.skills, start.room()) : 0;
  for (const name of missing) {
    const most = Math.max(0, Math.min(window.skill, budget));
    const result = await activate(name, start, started, { via: 'app', most });
    budget -= result.state === 'activated' ? result.skill.activation.tokens : 0;
  }
}

/** Whether the user ended the skill between two messages; switching it off temporarily does not count. */
function isEndedByUser(name: string, { activations }: Records): boolean {
  const last = activations.findLast(({ activation }) => activation.name === name);
  return last?.end?.reason === 'user' && last.end.inTurnOf === undefined;
}

/** The message without leading skill names, which some clients send as typed: `/a /b do this`. */
function getArguments({ message, picked }: SkillStart): string {
  const names = new Set(picked.map((name) => `/${name.toLowerCase()}`));
  let rest = message;
  for (;;) {
    const [match, word = ''] = /^\s*(\S+)\s*/.exec(rest) ?? [];
    if (match === undefined || !names.has(word.toLowerCase())) {
      return rest;
    }
    rest = rest.slice(match.length);
  }
}

/**
 * @param activeBefore skills that were active before the message; the error lists these, because only they can be
 * ended
 */
async function pick(
  name: string,
  start: SkillStart,
  started: StartedSkills,
  activeBefore: readonly string[],
): Promise<void> {
  const result = await activate(name, start, started, {
    via: start.pickedVia,
    written: getArguments(start),
    most: start.window.skill,
  });
  switch (result.state) {
    case 'activated':
      started.picked.push(result.skill.activation.name);
      return;
    case 'already-active':
      started.picked.push(result.name);
      return;
    case 'too-many':
      throw problem('conflict', describeLimit(start, activeBefore));
    case 'too-long':
      throw problem(
        'too-large',
        `Skill "${result.name}" repeats your message so often that it would grow too long. Shorten the message, or send it without /${result.name}.`,
      );
    case 'no-room':
      throw problem(
        'too-large',
        `Skill "${result.name}" is too long for this model. Choose another model, or send your message without /${result.name}.`,
      );
    case 'not-available':
      throw problem(
        'not-found',
        `Skill "${name}" is not available. Type "/" to see those that are.`,
      );
  }
}

function describeLimit({ app, config }: SkillStart, active: readonly string[]): string {
  const maximum = maxActiveSkills(app, config);
  const limit = `At most ${maximum} ${maximum === 1 ? 'skill' : 'skills'} can be active here.`;
  return active.length === 0
    ? `${limit} Choose fewer skills for this message.`
    : `${limit} Deactivate one of these first, or choose fewer: ${active.join(', ')}.`;
}

/** Activates a skill with the user's message and records it. */
async function activate(
  name: string,
  { view, app, config, records, userId, usesTools }: SkillStart,
  started: StartedSkills,
  how: { via: 'slash' | 'api' | 'app'; written?: string; most: number },
): Promise<ActivationResult> {
  const result = await activateSkill({
    view,
    active: getActiveSkills(records),
    maxActiveSkills: maxActiveSkills(app, config),
    name,
    readsFiles: usesTools,
    ...how,
  });
  if (result.state === 'activated') {
    const { added, replaced } = addActivation(records, result.skill, { messageId: userId });
    started.activated.push(added);
    started.ended.push(...(replaced ? [replaced] : []));
  }
  return result;
}

/** Maximum number of skills read to see whether they fit the budget. */
const maxRead = 100;

/**
 * For models without tools: activates the app's skills, in catalogue order, as long as they fit the budget. A skill
 * that is too long is skipped in favour of shorter ones.
 */
async function activateAll(start: SkillStart, started: StartedSkills): Promise<void> {
  const alreadyActive = [...getActiveSkills(start.records).values()];
  let budget = alreadyActive.reduce(
    (left, { activation }) => left - activation.tokens,
    start.room(),
  );
  const wanted = start.view.skills.filter(({ id }) => !isEndedByUser(id, start.records));
  for (const { id } of wanted.slice(0, maxRead)) {
    const result = await activate(id, start, started, { via: 'app', most: budget });
    if (result.state === 'activated') {
      budget -= result.skill.activation.tokens;
    }
  }
}
