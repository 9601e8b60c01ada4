import { sha256 } from '../../../platform/lib/sha256.ts';
import {
  getSystemBlocks,
  modelTools,
  type SystemBlock,
  type TurnAccess,
} from '../../chat/index.ts';
import type { VisibleSkill } from '../../skills/index.ts';
import type { TraceSetting, VisibleIds } from './stored-trace.ts';

/** A text that is shared by many traces. */
export interface TracePart {
  /** SHA-256. */
  checksum: string;
  json: string;
}

export interface Setting {
  setting: TracePart;
  visible: TracePart;
}

/** The offer of an access in a language; computed once for each, not in each turn. */
export function getSetting(access: TurnAccess, language: string): Setting {
  const byLanguage = settings.get(access) ?? new Map<string, Setting>();
  settings.set(access, byLanguage);
  const known = byLanguage.get(language) ?? createSetting(access, language);
  byLanguage.set(language, known);
  return known;
}

const settings = new WeakMap<TurnAccess, Map<string, Setting>>();

function createSetting(access: TurnAccess, language: string): Setting {
  const { view, listing, off } = access.offered();
  const visible = getVisibleIds(view.skills);
  const setting: TraceSetting = {
    system: restoreTemplate(access, getSystemBlocks(access, language)),
    tools: modelTools(access, language),
    usesTools: access.usesTools,
    listing,
    off: [...off],
    visible: visible.checksum,
  };
  return { setting: createPart(setting), visible };
}

/** A user's values in the app's prompt are stored with the trace only, so the shared part has the template. */
function restoreTemplate({ filled }: TurnAccess, blocks: readonly SystemBlock[]): SystemBlock[] {
  return blocks.map((block) =>
    block.kind === 'app' && filled ? { kind: 'app', text: filled.template.trim() } : block,
  );
}

/** Cached by the list, because it takes several milliseconds for thousands of skills. */
function getVisibleIds(skills: readonly VisibleSkill[]): TracePart {
  const known = lists.get(skills);
  if (known) {
    return known;
  }
  const visible: VisibleIds = {
    ids: skills.map(({ id }) => id),
    userOnly: skills.filter(({ modelInvocable }) => !modelInvocable).map(({ id }) => id),
  };
  const part = createPart(visible);
  lists.set(skills, part);
  return part;
}

const lists = new WeakMap<readonly VisibleSkill[], TracePart>();

function createPart(content: TraceSetting | VisibleIds): TracePart {
  const json = JSON.stringify(content);
  return { checksum: sha256(json), json };
}
