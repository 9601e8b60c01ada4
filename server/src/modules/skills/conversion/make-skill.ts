import { slug } from '@knowhow/shared/skills/skill-name';
import type { SkillOrigin } from '@knowhow/shared/skills/skill-origin';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { type PackedFile, writeSkillFile } from '@knowhow/skill-format';
import { shortenText } from '../../../platform/lib/shorten-text.ts';
import type { ArchivedSkill } from '../archives/unpack-skills.ts';
import { type SkillTool, toolFile } from './skill-tool.ts';

/** A skill of a source; converted ones have an origin. */
export interface SourceSkill extends ArchivedSkill {
  origin?: SkillOrigin;
}

/** Input for a converted skill. */
export interface Draft {
  /** Its folder or file in the source. */
  root: string;
  /** The skill's name is derived from this. */
  name: string;
  description: string;
  /** Additional frontmatter; undefined fields are omitted. */
  fields?: Readonly<Record<string, string | undefined>>;
  metadata?: Readonly<Record<string, string | undefined>>;
  body: string;
  tool?: SkillTool | undefined;
  /** Additional generated files. */
  files?: readonly PackedFile[];
  /** Original files to keep, relative to the source folder. */
  originals: readonly PackedFile[];
  diagnostics: readonly Diagnostic[];
  origin: Omit<SkillOrigin, 'tool'>;
}

const originalFolder = 'assets/original';
const maxDescriptionLength = 1024;

/** Path of an original file within the converted skill. */
export function originalPath(path: string): string {
  return `${originalFolder}/${path}`;
}

/** Builds the skill: `SKILL.md`, its tool, and the unmodified originals. */
export function makeSkill(draft: Draft): SourceSkill {
  const { root, name, description, fields, metadata, body, tool, originals, origin } = draft;
  const id = slug(name) || 'skill';
  const line = description.replace(/\s+/g, ' ').trim();
  const frontmatter = {
    name: id,
    ...(line === ''
      ? {}
      : { description: shortenText(line, (text) => [...text].length <= maxDescriptionLength) }),
    ...fields,
    metadata: {
      ...withoutEmpty({ ...metadata, origin: origin.kind }),
      ...(tool ? { tool: toolFile } : {}),
    },
  };
  const generated = [createTextFile('SKILL.md', writeSkillFile(frontmatter, body))];
  if (tool) {
    generated.push(createTextFile(toolFile, `${JSON.stringify(tool, null, 2)}\n`));
  }
  const kept = originals.map((file) => ({ ...file, path: originalPath(file.path) }));
  return {
    folder: id,
    root,
    files: [...generated, ...(draft.files ?? []), ...kept],
    diagnostics: [...draft.diagnostics],
    origin: { ...origin, ...(tool ? { tool: tool.name } : {}) },
  };
}

/** A text file of a skill. */
export function createTextFile(path: string, text: string): PackedFile {
  return { path, bytes: Buffer.from(text), executable: false };
}

function withoutEmpty(
  values: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      value === undefined || value === '' ? [] : [[key, value] as const],
    ),
  );
}
