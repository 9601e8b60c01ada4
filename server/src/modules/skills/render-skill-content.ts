import { escapeXml } from '@knowhow/shared/escape-xml';
import type { SkillFile } from '@knowhow/shared/skills/skills';
import type { Described } from '@knowhow/skill-format';
import { shortenText } from '../../platform/lib/shorten-text.ts';
import { neutraliseTags } from './neutralise-tags.ts';

const maxListed = 200;
/** Maximum length of another skill's description, in characters. */
const maxDescription = 300;
const isShort = (text: string) => text.length <= maxDescription;

interface SkillText {
  name: string;
  body: string;
  files: readonly SkillFile[];
  /** Texts of some files, each in its element. */
  included?: readonly string[];
  /** Visible skills that it builds on. */
  dependencies?: readonly Described[];
  /** Its origin; undefined for our own skills. */
  origin?: string | undefined;
}

const reading = 'read them with read_skill_resource.';
const notReading = 'you cannot read them; if one is needed, say so.';
const notReadingOthers =
  'those above are included, you cannot read the others; if one is needed, say so.';

/**
 * Renders a skill's instructions for a model with tools. The body is verbatim, except for our
 * closing tag.
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
  'The instructions of this skill are too long to fit here. Read them in parts before you follow them: call read_skill_resource with its name and SKILL.md.';
const notInParts =
  'The instructions of this skill are too long for this model. Say so if they are needed.';

type Referred = Pick<SkillText, 'name' | 'origin'> & { description: string };

/** Marks instructions from other servers with their origin. */
function opening(name: string, origin: string | undefined): string {
  const source = origin === undefined ? '' : ` source="${escapeXml(origin)}"`;
  return `<skill_content name="${escapeXml(name)}"${source}>`;
}

/** Replaces the instructions of a skill that do not fit the budget. */
export function referTo({ name, description, origin }: Referred): string {
  return [opening(name, origin), neutraliseTags(description), '', inParts, '</skill_content>'].join(
    '\n',
  );
}

interface ContentReader {
  usesTools: boolean;
  /** Whether the skill is currently visible to the caller. */
  isVisible: (skill: string) => boolean;
}

/** Adapts stored content to the caller; removes references to tools for a model without them. */
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

/** Listed even if these skills are not in the catalogue. */
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

/** Removes skills from the dependencies that are no longer visible. */
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
