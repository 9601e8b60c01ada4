import type { SkillFile } from '@knowhow/shared/skills/skills';
import { countTokens } from '../lib/count-tokens.ts';
import { escapeXml } from '../lib/escape-xml.ts';
import { mediaTypeOf } from '../lib/media-type.ts';
import { namedFiles } from '../skill-format/skill-format.ts';
import { neutraliseTags } from './neutralise-tags.ts';
import type { SkillView, VisibleSkill } from './skill-view.ts';

/** So many files are read at most, and none that is longer, in bytes. */
const mostRead = 20;
const longestFile = 64 * 1024;
/** What has more bytes a token is hardly a text. */
const bytesPerToken = 10;

interface Including {
  view: SkillView;
  skill: VisibleSkill;
  /** The instructions. */
  body: string;
  files: readonly SkillFile[];
  /** Tokens that the files may have together. */
  room: number;
}

/**
 * The files that the instructions of a skill name, for a model that cannot read them itself: whole texts, as
 * long as there is room. One that is too long leaves it to the next; scripts, which it cannot run, come last.
 */
export async function includeFiles(including: Including): Promise<string[]> {
  const { skill, body, files } = including;
  const sizes = new Map(files.map(({ path, size }) => [path, size]));
  const named = namedFiles(body, { id: skill.id, files: [...sizes.keys()] });
  const ordered = [...named.filter((path) => !isScript(path)), ...named.filter(isScript)];
  const included: string[] = [];
  let left = including.room;
  for (const path of ordered.slice(0, mostRead)) {
    const size = sizes.get(path) ?? 0;
    const text =
      size <= Math.min(longestFile, left * bytesPerToken)
        ? await textOf(path, including)
        : undefined;
    const tokens = text === undefined ? 0 : countTokens(text);
    if (text !== undefined && tokens <= left) {
      left -= tokens;
      included.push(text);
    }
  }
  return included;
}

function isScript(path: string): boolean {
  return path.startsWith('scripts/');
}

/** Undefined for what is no text, or is gone. */
async function textOf(path: string, { view, skill }: Including): Promise<string | undefined> {
  try {
    const file = await view.openFile(skill, path);
    const bytes = await file?.read(0, file.size);
    return bytes && mediaTypeOf(path, bytes).kind === 'text'
      ? `<skill_file path="${escapeXml(path)}">\n${neutraliseTags(bytes.toString('utf8').trim())}\n</skill_file>`
      : undefined;
  } catch {
    return undefined;
  }
}
