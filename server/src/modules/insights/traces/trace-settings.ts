import { memoizeByObject } from '../../../platform/lib/memoize-by-object.ts';
import { sha256 } from '../../../platform/lib/sha256.ts';
import {
  getSystemBlocks,
  modelTools,
  type SystemBlock,
  type TurnAccess,
} from '../../chat/index.ts';
import type { ModelTool } from '../../models/index.ts';
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

/** The offer of an access in a language; computed once for each offer and prompt, not in each turn. */
export function getSetting(access: TurnAccess, language: string): Setting {
  const blocks = getSystemBlocks(access, language);
  const tools = modelTools(access, language);
  const byTools = settings.get(blocks) ?? new WeakMap<readonly ModelTool[], Setting>();
  settings.set(blocks, byTools);
  const known = byTools.get(tools) ?? createSetting(access, blocks, tools);
  byTools.set(tools, known);
  return known;
}

/**
 * By the blocks of the system prompt, which are the same array for the same offer and prompt, and by the tools, which
 * are the same array for each language that they are translated to.
 */
const settings = new WeakMap<readonly SystemBlock[], WeakMap<readonly ModelTool[], Setting>>();

function createSetting(
  access: TurnAccess,
  blocks: readonly SystemBlock[],
  tools: TraceSetting['tools'],
): Setting {
  const { view, listing, off } = access.offered();
  const visible = getVisibleIds(view.skills);
  const setting: TraceSetting = {
    system: restoreTemplate(access, blocks),
    tools,
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

/** Memoized, because it takes several milliseconds for thousands of skills. */
const getVisibleIds = memoizeByObject((skills: readonly VisibleSkill[]): TracePart => {
  const visible: VisibleIds = {
    ids: skills.map(({ id }) => id),
    userOnly: skills.filter(({ modelInvocable }) => !modelInvocable).map(({ id }) => id),
  };
  return createPart(visible);
});

function createPart(content: TraceSetting | VisibleIds): TracePart {
  const json = JSON.stringify(content);
  return { checksum: sha256(json), json };
}
