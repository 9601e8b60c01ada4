import { isRecord } from '@knowhow/shared/is-record';
import type { PackedFile } from '@knowhow/skill-format';
import { originalPath } from './make-skill.ts';
import { textIn } from './read-source-json.ts';
import type { SkillTool } from './skill-tool.ts';

interface Plugin {
  manifest: Readonly<Record<string, unknown>>;
  hubId: string;
  tool: SkillTool | undefined;
  readme: PackedFile | undefined;
}

/** Longer READMEs are only referenced by the instructions. */
const maxReadmeLength = 8000;

/** Instructions generated from a plugin's manifest and README. */
export function writePluginBody({ manifest, hubId, tool, readme }: Plugin): string {
  const about = textIn(manifest.long_description) ?? textIn(manifest.description) ?? '';
  return [
    `# ${textIn(manifest.name) ?? hubId}`,
    about,
    tool ? toolText(tool) : withoutHandler,
    parameterList(tool?.parameters),
    exampleList(tool),
    readmeText(readme),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const withoutHandler =
  'The handler of this plugin is not available here: nothing of it is run. Follow the description as far as that is possible without it, and say what you could not do.';

function toolText({ name }: SkillTool): string {
  return `A tool whose name ends with \`${name}\` does the work: call it with the parameters below. Where no such tool is offered, the handler of this plugin is switched off here: follow the description as far as that is possible without it, and say what you could not do.`;
}

/** Parameters as a Markdown list. */
export function parameterList(schema: Readonly<Record<string, unknown>> | undefined): string {
  const properties = isRecord(schema?.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema?.required) ? schema.required : []);
  const lines = Object.entries(properties).map(([name, value]) => {
    const { type, description, enum: choices } = isRecord(value) ? value : {};
    const facts = [
      typeof type === 'string' ? type : undefined,
      required.has(name) ? 'required' : undefined,
      Array.isArray(choices) ? `one of ${choices.map(String).join(', ')}` : undefined,
    ].filter((fact) => fact !== undefined);
    const text = textIn(description) ?? '';
    return `- \`${name}\`${facts.length > 0 ? ` (${facts.join(', ')})` : ''}${text && `: ${text}`}`;
  });
  return lines.length === 0 ? '' : `## Parameters\n\n${lines.join('\n')}`;
}

function exampleList(tool: SkillTool | undefined): string {
  const lines = (tool?.examples ?? []).map(
    ({ prompt, call }) => `- ${prompt.replace(/\s+/g, ' ')}\n  \`${call.replace(/\s+/g, ' ')}\``,
  );
  return lines.length === 0 ? '' : `## Examples\n\n${lines.join('\n')}`;
}

function readmeText(readme: PackedFile | undefined): string {
  if (!readme) {
    return '';
  }
  const text = Buffer.from(readme.bytes).toString('utf8').trim();
  return text.length > maxReadmeLength || text.includes('\0')
    ? `More is in \`${originalPath(readme.path)}\`.`
    : text && `## README\n\n${text.replace(/^(#{1,5}) /gm, '#$1 ')}`;
}
