import type { SkillFile } from '@knowhow/shared/skills';
import { escapeXml } from '../lib/escape-xml.ts';
import { neutraliseTags } from './neutralise-tags.ts';

const maxListed = 200;

interface SkillText {
  name: string;
  body: string;
  files: readonly SkillFile[];
  /** Whether its reader has `read_skill_resource`. */
  usesTools: boolean;
}

/** A skill's instructions as the model gets them. The body stays verbatim but for our closing tag. */
export function renderSkillContent({ name, body, files, usesTools }: SkillText): string {
  const reading = usesTools
    ? 'read them with read_skill_resource.'
    : 'you cannot read them; when one is needed, say so.';
  const base = `Base: skill://${name}/ . Relative paths are relative to it; ${reading}`;
  return [
    `<skill_content name="${escapeXml(name)}">`,
    neutraliseTags(body.trim()),
    '',
    ...(files.length > 0 ? [base, renderFiles(files)] : []),
    '</skill_content>',
  ].join('\n');
}

function renderFiles(files: readonly SkillFile[]): string {
  const listed = files
    .slice(0, maxListed)
    .map(({ path, size }) => `  <file size="${size}">${escapeXml(path)}</file>`);
  const more = files.length - listed.length;
  return [
    '<skill_resources>',
    ...listed,
    ...(more > 0 ? [`  and ${more} more`] : []),
    '</skill_resources>',
  ].join('\n');
}
