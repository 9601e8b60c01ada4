import { createHash } from 'node:crypto';
import { modelTools, systemBlocksOf } from '../chat/render-request.ts';
import type { SystemBlock } from '../chat/system-prompt.ts';
import type { TurnAccess } from '../chat/turn-access.ts';
import type { VisibleSkill } from '../skills/skill-view.ts';
import type { TraceSetting, VisibleIds } from './stored-trace.ts';

/** A text that many traces have in common. */
export interface TracePart {
  /** SHA-256. */
  checksum: string;
  json: string;
}

export interface Setting {
  setting: TracePart;
  visible: TracePart;
}

/** What an access offers in a language. Worked out once for each, not in each turn. */
export function settingOf(access: TurnAccess, language: string): Setting {
  const byLanguage = settings.get(access) ?? new Map<string, Setting>();
  settings.set(access, byLanguage);
  const known = byLanguage.get(language) ?? makeSetting(access, language);
  byLanguage.set(language, known);
  return known;
}

const settings = new WeakMap<TurnAccess, Map<string, Setting>>();

function makeSetting(access: TurnAccess, language: string): Setting {
  const { view, listing, off } = access.offered();
  const visible = visibleIds(view.skills);
  const setting: TraceSetting = {
    system: templateOf(access, systemBlocksOf(access, language)),
    tools: modelTools(access, language),
    usesTools: access.usesTools,
    listing,
    off: [...off],
    visible: visible.checksum,
  };
  return { setting: partOf(setting), visible };
}

/** What was put into the app's prompt for one user is kept with the trace alone. */
function templateOf({ filled }: TurnAccess, blocks: readonly SystemBlock[]): SystemBlock[] {
  return blocks.map((block) =>
    block.kind === 'app' && filled ? { kind: 'app', text: filled.template.trim() } : block,
  );
}

/** The same list for all who see all: with thousands of skills it takes some milliseconds. */
function visibleIds(skills: readonly VisibleSkill[]): TracePart {
  const known = lists.get(skills);
  if (known) {
    return known;
  }
  const seen: VisibleIds = {
    ids: skills.map(({ id }) => id),
    userOnly: skills.filter(({ modelInvocable }) => !modelInvocable).map(({ id }) => id),
  };
  const made = partOf(seen);
  lists.set(skills, made);
  return made;
}

const lists = new WeakMap<readonly VisibleSkill[], TracePart>();

function partOf(content: TraceSetting | VisibleIds): TracePart {
  const json = JSON.stringify(content);
  return { checksum: createHash('sha256').update(json).digest('hex'), json };
}
