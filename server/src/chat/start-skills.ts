import type { EndReason } from '@knowhow/shared/chat/chat';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import { problem } from '@knowhow/shared/problem';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import {
  type ActivationRecord,
  activeSkillsOf,
  addActivation,
  type Records,
} from '../conversations/records.ts';
import { forgottenOf } from '../conversations/skill-expiry.ts';
import { type ActivationResult, activateSkill, reloadSkill } from '../skills/activate-skill.ts';
import type { SkillView } from '../skills/skill-view.ts';
import { alwaysUsed, whyEnded } from './why-ended.ts';
import type { Window } from './window.ts';

interface SkillStart {
  view: SkillView;
  app: AppConfig;
  config: SkillsConfig;
  /** What stays of the conversation: is added to. */
  records: Records;
  /** Of the user's message. */
  userId: string;
  /** Names the user chose for this message. */
  picked: readonly string[];
  /** How these were named: in a message of the chat, or in a request to the OpenAI-compatible API. */
  pickedVia: 'slash' | 'api';
  /** Names the user does not want in this conversation. */
  skillsOff: ReadonlySet<string>;
  /** The user's text: what the chosen skills get as arguments. */
  message: string;
  usesTools: boolean;
  window: Pick<Window, 'skill' | 'skills'>;
  /** Whether nobody has gone on with the conversation for so long that its skills have ended. */
  isExpired: boolean;
  /** Tokens that the instructions of skills may have which come by themselves. */
  room: () => number;
}

/** What has changed in the records. */
export interface StartedSkills {
  /** Ids of the user's choice. */
  picked: string[];
  activated: ActivationRecord[];
  /** The user is told of them. */
  ended: ActivationRecord[];
  /** Those that ended between two messages. */
  forgotten: ActivationRecord[];
  /** Those that were stored without their text. */
  reloaded: ActivationRecord[];
}

const defaultMaximum = 10;

/** Looks at the active skills again as a turn begins, and activates those picked. */
export async function startSkills(start: SkillStart): Promise<StartedSkills> {
  const { app } = start;
  const started: StartedSkills = {
    picked: [],
    activated: [],
    ended: [],
    forgotten: [],
    reloaded: [],
  };
  await revalidateActiveSkills(start, started);
  await activateAlwaysUsed(start, started);
  const activeBefore = [...activeSkillsOf(start.records).keys()];
  for (const name of start.picked) {
    await pick(name, start, started, activeBefore);
  }
  if (!start.usesTools && app.skillSettings?.autoActivate === true) {
    await activateAll(start, started);
  }
  started.ended.push(...forgottenOf(start.records));
  return started;
}

/** How many skills may be active in a conversation of this app. */
export function maxActiveSkills(app: AppConfig, { settings }: SkillsConfig): number {
  const maximum = settings?.maxSkillsPerRequest ?? defaultMaximum;
  return Math.min(app.skillSettings?.maxActiveSkills ?? maximum, maximum);
}

/** A skill goes on with the text that it was activated with, as long as it may be seen. */
async function revalidateActiveSkills(start: SkillStart, started: StartedSkills): Promise<void> {
  const { view, records, skillsOff } = start;
  for (const record of records.activations.filter(({ end }) => !end)) {
    const { name } = record.activation;
    const reloaded =
      record.content === '' ? await reloadSkill(view, record.activation) : view.find(name);
    const reason = whyEnded(record.activation, start) ?? (reloaded ? undefined : 'not-available');
    if (start.isExpired && record.activation.via !== 'app' && !reason) {
      record.end = { reason: 'limit' };
      started.forgotten.push(record);
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
  { userId }: SkillStart,
  { ended }: StartedSkills,
): void {
  record.end = { reason, inTurnOf: userId };
  ended.push(record);
}

/**
 * Activates what the app always uses and the user has not ended. Where too many would be active by it, or are
 * since fewer may be, the oldest others end. Above its room the text of a skill stays out, and it stands by name.
 */
async function activateAlwaysUsed(start: SkillStart, started: StartedSkills): Promise<void> {
  const { view, app, config, records, window } = start;
  const maximum = maxActiveSkills(app, config);
  const wanted = alwaysUsed(view, app, maximum).filter((name) => !isEndedByUser(name, records));
  const active = activeSkillsOf(records);
  const missing = wanted.filter((name) => !active.has(name));
  const others = [...active.keys()].filter((name) => !wanted.includes(name));
  const excess = Math.max(0, active.size + missing.length - maximum);
  for (const name of others.slice(0, excess)) {
    const record = records.activations.find((each) => each.activation.name === name && !each.end);
    if (record) {
      end(record, 'limit', start, started);
    }
  }
  let room = missing.length > 0 ? Math.min(window.skills, start.room()) : 0;
  for (const name of missing) {
    const most = Math.max(0, Math.min(window.skill, room));
    const result = await activate(name, start, started, { via: 'app', most });
    room -= result.state === 'activated' ? result.skill.activation.tokens : 0;
  }
}

/** Between two messages, that is; who only switched it off for a while has it again. */
function isEndedByUser(name: string, { activations }: Records): boolean {
  const last = activations.findLast(({ activation }) => activation.name === name);
  return last?.end?.reason === 'user' && last.end.inTurnOf === undefined;
}

/** What is written after the names, for clients that send these as they were typed: `/a /b do this`. */
function argumentsIn({ message, picked }: SkillStart): string {
  const names = new Set(picked.map((name) => `/${name.toLowerCase()}`));
  let rest = message;
  for (;;) {
    const [all, word = ''] = /^\s*(\S+)\s*/.exec(rest) ?? [];
    if (all === undefined || !names.has(word.toLowerCase())) {
      return rest;
    }
    rest = rest.slice(all.length);
  }
}

/** @param activeBefore the skills that were active before the message: only these can be ended */
async function pick(
  name: string,
  start: SkillStart,
  started: StartedSkills,
  activeBefore: readonly string[],
): Promise<void> {
  const result = await activate(name, start, started, {
    via: start.pickedVia,
    written: argumentsIn(start),
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
      throw problem('conflict', tooManySkills(start, activeBefore));
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

function tooManySkills({ app, config }: SkillStart, active: readonly string[]): string {
  const maximum = maxActiveSkills(app, config);
  const limit = `At most ${maximum} ${maximum === 1 ? 'skill' : 'skills'} can be active here.`;
  return active.length === 0
    ? `${limit} Choose fewer skills for this message.`
    : `${limit} Deactivate one of these first, or choose fewer: ${active.join(', ')}.`;
}

/** Activates a skill with the user's message, and records it. */
async function activate(
  name: string,
  { view, app, config, records, userId, usesTools }: SkillStart,
  started: StartedSkills,
  how: { via: 'slash' | 'api' | 'app'; written?: string; most: number },
): Promise<ActivationResult> {
  const result = await activateSkill({
    view,
    active: activeSkillsOf(records),
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

/** So many skills are read at most to see whether they find room. */
const mostRead = 100;

/**
 * For a model that takes no tools: what the app offers and need not wait for a user, in the order of the
 * catalogue, as far as there is room. One that is too long leaves it to shorter ones.
 */
async function activateAll(start: SkillStart, started: StartedSkills): Promise<void> {
  const standing = [...activeSkillsOf(start.records).values()];
  let room = standing.reduce((left, { activation }) => left - activation.tokens, start.room());
  const wanted = start.view.skills.filter(({ id }) => !isEndedByUser(id, start.records));
  for (const { id } of wanted.slice(0, mostRead)) {
    const result = await activate(id, start, started, { via: 'app', most: room });
    if (result.state === 'activated') {
      room -= result.skill.activation.tokens;
    }
  }
}
