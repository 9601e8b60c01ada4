import type { SkillOrigin } from '@knowhow/shared/skills/skill-origin';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import type { ArchivedSkill } from '../archives/read-archive.ts';
import { shortenText } from '../lib/shorten-text.ts';
import { type PackedFile, slug, writeSkillFile } from '../skill-format/skill-format.ts';
import { type SkillTool, toolFile } from './skill-tool.ts';

/** A skill of a source; one that was no skill has an origin. */
export interface SourceSkill extends ArchivedSkill {
  origin?: SkillOrigin;
}

/** What a skill is made of. */
export interface Draft {
  /** Where it is in the source: its folder, or its file. */
  root: string;
  /** Of which its name is made. */
  name: string;
  description: string;
  /** Further fields of the frontmatter; those left undefined are not written. */
  fields?: Readonly<Record<string, string | undefined>>;
  metadata?: Readonly<Record<string, string | undefined>>;
  body: string;
  tool?: SkillTool | undefined;
  /** Further files that are made of it. */
  files?: readonly PackedFile[];
  /** Relative to its folder in the source: kept as they are. */
  originals: readonly PackedFile[];
  diagnostics: readonly Diagnostic[];
  origin: Omit<SkillOrigin, 'tool'>;
}

const originalFolder = 'assets/original';
const mostDescription = 1024;

/** Where an original is kept in the skill that is made of it. */
export function originalPath(path: string): string {
  return `${originalFolder}/${path}`;
}

/** The skill: its `SKILL.md`, its tool, and what it was made from, byte for byte. */
export function makeSkill(draft: Draft): SourceSkill {
  const { root, name, description, fields, metadata, body, tool, originals, origin } = draft;
  const id = slug(name) || 'skill';
  const line = description.replace(/\s+/g, ' ').trim();
  const frontmatter = {
    name: id,
    ...(line === ''
      ? {}
      : { description: shortenText(line, (text) => [...text].length <= mostDescription) }),
    ...fields,
    metadata: {
      ...withoutGaps({ ...metadata, origin: origin.kind }),
      ...(tool ? { tool: toolFile } : {}),
    },
  };
  const made = [fileOf('SKILL.md', writeSkillFile(frontmatter, body))];
  if (tool) {
    made.push(fileOf(toolFile, `${JSON.stringify(tool, null, 2)}\n`));
  }
  const kept = originals.map((file) => ({ ...file, path: originalPath(file.path) }));
  return {
    folder: id,
    root,
    files: [...made, ...(draft.files ?? []), ...kept],
    diagnostics: [...draft.diagnostics],
    origin: { ...origin, ...(tool ? { tool: tool.name } : {}) },
  };
}

/** A file of a skill, of its text. */
export function fileOf(path: string, text: string): PackedFile {
  return { path, bytes: Buffer.from(text), executable: false };
}

function withoutGaps(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      value === undefined || value === '' ? [] : [[key, value] as const],
    ),
  );
}
