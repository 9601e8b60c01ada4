import type { SkillFile } from '@knowhow/shared/skills/skills';
import { escapeXml } from '../lib/escape-xml.ts';
import { shortenText } from '../lib/shorten-text.ts';
import type { Described } from '../skill-format/skill-format.ts';
import { neutraliseTags } from './neutralise-tags.ts';

const maxListed = 200;
/** Of a description of another skill, in characters. */
const maxDescription = 300;
const isShort = (text: string) => text.length <= maxDescription;

interface SkillText {
  name: string;
  body: string;
  files: readonly SkillFile[];
  /** Texts of some of them, each in its element. */
  included?: readonly string[];
  /** Others it builds on, as far as they are to be seen. */
  dependencies?: readonly Described[];
  /** Where it comes from, if it is not our own. */
  origin?: string | undefined;
}

const reading = 'read them with read_skill_resource.';
const notReading = 'you cannot read them; when one is needed, say so.';
const notReadingOthers =
  'you have those that stand above, and cannot read the others; when one is needed, say so.';

/**
 * A skill's instructions as a model with tools gets them. The body stays verbatim but for our closing
 * tag.
 */
export function renderSkillContent(text: SkillText): string {
  const { name, body, files, included = [], dependencies = [], origin } = text;
  const base = `Base: skill://${name}/ . Relative paths are relative to it; ${reading}`;
  return [
    opening(name, origin),
    neutraliseTags(body.trim()),
    '',
    ...included.flatMap((text) => [text, '']),
    ...(dependencies.length > 0 ? [renderDependencies(dependencies), ''] : []),
    ...(files.length > 0 ? [base, renderFiles(files)] : []),
    '</skill_content>',
  ].join('\n');
}

const inParts =
  'The instructions of this skill are too long to stand here. Read them in parts before you follow them: call read_skill_resource with its name and SKILL.md.';
const notInParts =
  'The instructions of this skill are too long for this model. Say so when they are needed.';

type Referred = Pick<SkillText, 'name' | 'origin'> & { description: string };

/** Instructions of others are marked as theirs. */
function opening(name: string, origin: string | undefined): string {
  const source = origin === undefined ? '' : ` source="${escapeXml(origin)}"`;
  return `<skill_content name="${escapeXml(name)}"${source}>`;
}

/** What stands for the instructions of a skill where there is no room for them. */
export function referTo({ name, description, origin }: Referred): string {
  return [opening(name, origin), neutraliseTags(description), '', inParts, '</skill_content>'].join(
    '\n',
  );
}

interface ContentReader {
  usesTools: boolean;
  /** Whether the caller sees a skill now. */
  isVisible: (skill: string) => boolean;
}

/** The same as it is for a caller now; a model that may have no tools is named none. */
export function contentFor(written: string, { usesTools, isVisible }: ContentReader): string {
  const content = withoutHidden(written, isVisible);
  if (usesTools) {
    return content;
  }
  const base = content.lastIndexOf('\nBase: skill://');
  const ours = base < 0 ? content.lastIndexOf(inParts) : base;
  if (ours < 0) {
    return content;
  }
  const above = content.slice(0, ours);
  const instead = above.includes('\n<skill_file path="') ? notReadingOthers : notReading;
  return above + content.slice(ours).replace(reading, instead).replace(inParts, notInParts);
}

/** Whatever the model does with them: a skill that is not listed is known from here. */
function renderDependencies(dependencies: readonly Described[]): string {
  const listed = dependencies.map(
    ({ id, description }) =>
      `  <skill name="${escapeXml(id)}">${neutraliseTags(shortenText(description, isShort)).replaceAll(/\s+/g, ' ')}</skill>`,
  );
  return ['<skill_dependencies>', ...listed, '</skill_dependencies>'].join('\n');
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

const dependencies =
  /^<skill_dependencies>\n(?: {2}<skill name="[^"\n]*">[^\n]*<\/skill>\n)+<\/skill_dependencies>\n\n/m;

/** Of the skills that it builds on, those that are not to be seen any more are not named. */
function withoutHidden(content: string, isVisible: ContentReader['isVisible']): string {
  return content.replace(dependencies, (block) => {
    const lines = block.trimEnd().split('\n');
    const named = lines.slice(1, -1);
    const seen = named.filter((line) =>
      isVisible(/^ {2}<skill name="([^"]*)"/.exec(line)?.[1] ?? ''),
    );
    return seen.length === 0 ? '' : `${[lines[0], ...seen, lines.at(-1)].join('\n')}\n\n`;
  });
}
