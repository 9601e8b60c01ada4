import { fillIn } from '@knowhow/shared/fill-in';
import { findTexts } from '../../platform/lib/locales.ts';
import { shortenText } from '../../platform/lib/shorten-text.ts';
import type { CatalogueEntry, SkillContent } from './demo-skills.ts';

/** Maximum characters of a text that are examined for quoting. */
const maxQuotedLength = 20_000;
const maxStepLength = 1000;
const maxSteps = 8;
const maxProposed = 5;
const maxListed = 20;
const maxResources = 10;
const maxDescriptionLength = 200;

/** Texts of the demo model, in Markdown. */
export interface DemoTexts {
  /** Quotes active skills. */
  quote(skills: SkillContent[]): string;
  /** Lists the available skills. */
  list(skills: CatalogueEntry[]): string;
  /** Introduces the demo model and the skills it can use. */
  introduce(skills: CatalogueEntry[]): string;
  /** Explains why a skill could not be activated. */
  failed(name: string, reason: string): string;
}

/** The texts in a language; in English if there are none. */
export function demoTexts(language: string): DemoTexts {
  const texts = findTexts(language).demo;
  const more = (count: number) => fillIn(texts.more, { count });
  return {
    quote: (skills) =>
      paragraphs(
        texts.quote,
        ...skills.flatMap(({ name, body, resources }) => [
          fillIn(texts.active, { name }),
          extractSteps(body),
          ...fileList(texts.files, resources),
        ]),
        texts.quoted,
      ),
    list: (skills) =>
      paragraphs(
        ...(skills.length > 0
          ? [texts.list, skillList(skills, maxListed, more), texts.ask]
          : [texts.none]),
        texts.about,
      ),
    introduce: (skills) =>
      paragraphs(
        texts.introduce,
        ...(skills.length > 0 ? [texts.try, skillList(skills, maxProposed, more)] : [texts.none]),
        texts.setUp,
      ),
    failed: (name, reason) => paragraphs(fillIn(texts.failed, { name }), `> ${oneLine(reason)}`),
  };
}

/** A skill's steps: its numbered list, else its headings, bullets or first paragraph. */
function extractSteps(whole: string): string {
  const body = whole.slice(0, maxQuotedLength);
  const lines = body.replaceAll(/^(```|~~~).*?^\1/gms, '').split('\n');
  const found = [/^ {0,3}\d+[.)]\s+(.+)/, /^#{2,4}\s+(?:\d+[.)]\s+)?(.+)/, /^ {0,3}[-*+]\s+(.+)/]
    .map((pattern) => lines.flatMap((line) => pattern.exec(line)?.[1] ?? []))
    .find((steps) => steps.length > 1);
  if (found) {
    return found
      .slice(0, maxSteps)
      .map((step, index) => `${index + 1}. ${step.slice(0, maxStepLength).trim()}`)
      .join('\n');
  }
  const paragraph = body.split(/\n\s*\n/).find((each) => each.trim() && !each.startsWith('#'));
  return `> ${oneLine(paragraph ?? body)}`;
}

function fileList(text: string, resources: string[]): string[] {
  const paths = resources.slice(0, maxResources).map((path) => `\`${path}\``);
  return paths.length > 0 ? [fillIn(text, { files: paths.join(', ') })] : [];
}

/** @param more text for the number of skills that are not listed */
function skillList(
  skills: CatalogueEntry[],
  most: number,
  more: (count: number) => string,
): string {
  const isShort = (text: string) => text.length <= maxDescriptionLength;
  const shown = skills
    .slice(0, most)
    .map(({ name, description }) => `**${name}**: ${shortenText(oneLine(description), isShort)}`);
  const omitted = skills.length - shown.length;
  return [...shown, ...(omitted > 0 ? [more(omitted)] : [])].map((line) => `- ${line}`).join('\n');
}

function oneLine(text: string): string {
  return text.slice(0, maxQuotedLength).trim().replaceAll(/\s+/g, ' ');
}

function paragraphs(...texts: string[]): string {
  return texts.join('\n\n');
}
