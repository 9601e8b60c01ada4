import type { SkillFile } from '@knowhow/shared/skills';
import { escapeXml } from '../lib/escape-xml.ts';
import { neutraliseTags } from './neutralise-tags.ts';

const maxListed = 200;

/** A skill's instructions as the model gets them. The body stays verbatim but for our closing tag. */
export function renderSkillContent(
  name: string,
  body: string,
  files: readonly SkillFile[],
): string {
  const base = `Base: skill://${name}/ . Relative paths are relative to it; read them with read_skill_resource.`;
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
