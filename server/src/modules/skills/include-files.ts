import type { SkillFile } from '@knowhow/shared/skills/skills';
import { countTokens } from '../../platform/lib/count-tokens.ts';
import { escapeXml } from '../../platform/lib/escape-xml.ts';
import { detectMediaType } from '../../platform/lib/media-type.ts';
import { namedFiles } from './format/skill-format.ts';
import { neutraliseTags } from './neutralise-tags.ts';
import type { SkillView, VisibleSkill } from './skill-view.ts';

/** Maximum number of files to read, and maximum size of each in bytes. */
const maxFiles = 20;
const maxFileBytes = 64 * 1024;
/** With more bytes per token, a file is probably not text. */
const maxBytesPerToken = 10;

interface Inclusion {
  view: SkillView;
  skill: VisibleSkill;
  /** The instructions. */
  body: string;
  files: readonly SkillFile[];
  /** Token budget of the files. */
  room: number;
}

/**
 * Full texts of the files that the instructions name, for a model that cannot read files, as far as
 * the budget allows. A file that does not fit is skipped; scripts, which the model cannot run, come
 * last.
 */
export async function includeFiles(including: Inclusion): Promise<string[]> {
  const { skill, body, files } = including;
  const sizes = new Map(files.map(({ path, size }) => [path, size]));
  const named = namedFiles(body, { id: skill.id, files: [...sizes.keys()] });
  const ordered = [...named.filter((path) => !isScript(path)), ...named.filter(isScript)];
  const included: string[] = [];
  let remaining = including.room;
  for (const path of ordered.slice(0, maxFiles)) {
    const size = sizes.get(path) ?? 0;
    const text =
      size <= Math.min(maxFileBytes, remaining * maxBytesPerToken)
        ? await textOf(path, including)
        : undefined;
    const tokens = text === undefined ? 0 : countTokens(text);
    if (text !== undefined && tokens <= remaining) {
      remaining -= tokens;
      included.push(text);
    }
  }
  return included;
}

function isScript(path: string): boolean {
  return path.startsWith('scripts/');
}

/** Undefined if the file is not text or has been deleted. */
async function textOf(path: string, { view, skill }: Inclusion): Promise<string | undefined> {
  try {
    const file = await view.openFile(skill, path);
    const bytes = await file?.read(0, file.size);
    return bytes && detectMediaType(path, bytes).kind === 'text'
      ? `<skill_file path="${escapeXml(path)}">\n${neutraliseTags(bytes.toString('utf8').trim())}\n</skill_file>`
      : undefined;
  } catch {
    return undefined;
  }
}
