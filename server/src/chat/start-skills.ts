import type { AppConfig } from '@knowhow/shared/apps';
import type { Activation } from '@knowhow/shared/chat';
import type { Conversation, Message } from '@knowhow/shared/conversations';
import { problem } from '@knowhow/shared/problem';
import type { SkillsConfig } from '@knowhow/shared/skills-config';
import { type ActiveSkills, activateSkill, reloadSkill } from '../skills/activate-skill.ts';
import type { SkillView } from '../skills/skill-view.ts';
import type { EndedSkill, PositionedActivation } from './begin-turn.ts';

interface SkillStart {
  view: SkillView;
  app: AppConfig;
  config: SkillsConfig;
  conversation: Conversation | undefined;
  /** The messages that stay: what became active in others is gone with them. */
  kept: readonly Message[];
  /** Names the user chose for this message. */
  picked: readonly string[];
  /** Names the user does not want in this conversation. */
  skillsOff: ReadonlySet<string>;
  /** The user's text: what the chosen skills get as arguments. */
  message: string;
  usesTools: boolean;
  /** Tokens that the instructions of skills may have which come by themselves. */
  room: () => number;
}

export interface StartedSkills {
  active: ActiveSkills;
  maxActiveSkills: number;
  /** Ids of the user's choice. */
  picked: string[];
  /** What became active just now, to be announced and stored. */
  activations: Activation[];
  /** What a cut would end though it became active before that, too: to be stored again. */
  restored: PositionedActivation[];
  /** What was active and no longer may be. */
  ended: EndedSkill[];
}

const defaultMaximum = 10;

/** The active skills as a turn begins: those of the conversation, re-checked, and those picked. */
export async function startSkills(start: SkillStart): Promise<StartedSkills> {
  const { app, config } = start;
  const started: StartedSkills = {
    active: new Map(),
    maxActiveSkills: maxActiveSkills(app, config),
    picked: [],
    activations: [],
    restored: [],
    ended: [],
  };
  await carryOn(start, started);
  for (const name of start.picked) {
    await pick(name, start, started);
  }
  if (!start.usesTools && app.skillSettings?.autoActivate === true) {
    await activateAll(start, started);
  }
  return started;
}

/** How many skills may be active in a conversation of this app. */
export function maxActiveSkills(app: AppConfig, { settings }: SkillsConfig): number {
  const maximum = settings?.maxSkillsPerRequest ?? defaultMaximum;
  return Math.min(app.skillSettings?.maxActiveSkills ?? maximum, maximum);
}

async function carryOn(start: SkillStart, started: StartedSkills): Promise<void> {
  const { view, kept, conversation, skillsOff, usesTools } = start;
  const before = lastActivations(kept);
  const cut = lastActivations(conversation?.messages.slice(kept.length) ?? []);
  for (const { name } of conversation?.activeSkills ?? []) {
    const positioned = before.get(name);
    if (!positioned) {
      continue;
    }
    const skill = await reloadSkill(view, positioned.activation, usesTools);
    if (!skill) {
      started.ended.push({ name, reason: skillsOff.has(name) ? 'user' : 'not-available' });
      continue;
    }
    started.active.set(name, skill);
    if (cut.has(name)) {
      started.restored.push(positioned);
    }
  }
}

/** By skill: how it last became active in these messages. */
function lastActivations(messages: readonly Message[]): Map<string, PositionedActivation> {
  const last = new Map<string, PositionedActivation>();
  let messageId = '';
  for (const message of messages) {
    if (message.role === 'user') {
      messageId = message.id;
      continue;
    }
    for (const activation of message.activations) {
      last.set(activation.name, { messageId, activation });
    }
  }
  return last;
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

async function pick(name: string, start: SkillStart, started: StartedSkills): Promise<void> {
  const { view, usesTools } = start;
  const written = argumentsIn(start);
  const result = await activateSkill({ ...started, view, name, via: 'slash', written, usesTools });
  switch (result.state) {
    case 'activated':
      started.activations.push(result.skill.activation);
      started.picked.push(result.skill.activation.name);
      return;
    case 'already-active':
      started.picked.push(result.name);
      return;
    case 'too-many':
      throw problem(
        'conflict',
        `Only ${started.maxActiveSkills} skills can be active here. End one of these first: ${[...started.active.keys()].join(', ')}.`,
      );
    case 'too-long':
      throw problem(
        'too-large',
        `Skill "${result.name}" repeats your message so often that it would grow too long. Shorten the message, or send it without /${result.name}.`,
      );
    case 'no-room':
    case 'not-available':
      throw problem(
        'not-found',
        `Skill "${name}" is not available. Type "/" to see those that are.`,
      );
  }
}

/** So many skills are read at most to see whether they find room. */
const mostRead = 100;

/**
 * For a model that takes no tools: what the app offers and need not wait for a user, in the order of the
 * catalogue, as far as there is room. One that is too long leaves it to shorter ones.
 */
async function activateAll(
  { view, usesTools, ...start }: SkillStart,
  started: StartedSkills,
): Promise<void> {
  const standing = [...started.active.values()].map(({ activation }) => activation.tokens);
  let room = standing.reduce((left, tokens) => left - tokens, start.room());
  for (const { id } of view.skills.slice(0, mostRead)) {
    const result = await activateSkill({ ...started, view, name: id, via: 'app', usesTools, room });
    if (result.state === 'activated') {
      room -= result.skill.activation.tokens;
      started.activations.push(result.skill.activation);
    }
  }
}
