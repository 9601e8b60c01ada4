import { shortenText } from '../lib/shorten-text.ts';
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

export const demoTexts: Record<'en' | 'de', DemoTexts> = {
  en: {
    quote: (skills) =>
      paragraphs(
        'This is the **demo model**, not a language model: it picks the skill that fits your words and quotes what it says.',
        ...skills.flatMap((skill) => [
          `The skill **${skill.name}** is at work. It says:`,
          extractSteps(skill.body),
          ...fileList('Its files', skill.resources),
        ]),
        'With a real model, these steps would now be followed for you.',
      ),
    list: (skills) =>
      paragraphs(
        ...(skills.length > 0
          ? [
              'These are the skills that you can use here:',
              skillList(skills, maxListed, (count) => `${count} more; type \`/\` to find them`),
              'Ask for what one of them does, or pick it with `/`.',
            ]
          : ['You see no skills here.']),
        'I am the **demo model**, not a language model: I pick the skill that fits your words and quote its steps.',
      ),
    introduce: (skills) =>
      paragraphs(
        'I am the **demo model**, not a language model: I pick the skill that fits your words and quote its steps. No skill fits this message clearly.',
        ...(skills.length > 0
          ? [
              'You can try, or pick with `/`:',
              skillList(skills, maxProposed, (count) => `${count} more; type \`/\` to find them`),
            ]
          : ['You see no skills here.']),
        'For real answers, set `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `GOOGLE_API_KEY` or `MISTRAL_API_KEY`, or start Ollama, and restart Knowhow.',
      ),
    failed: (name, reason) =>
      paragraphs(
        `I am the **demo model**, not a language model. I wanted to use the skill **${name}**, but it could not be activated:`,
        `> ${oneLine(reason)}`,
      ),
  },
  de: {
    quote: (skills) =>
      paragraphs(
        'Das ist das **Demo-Modell**, kein Sprachmodell: Es wählt den Skill, der zu Ihren Worten passt, und zitiert ihn.',
        ...skills.flatMap((skill) => [
          `Der Skill **${skill.name}** ist aktiv. Er sagt:`,
          extractSteps(skill.body),
          ...fileList('Seine Dateien', skill.resources),
        ]),
        'Ein echtes Modell würde diese Schritte jetzt für Sie ausführen.',
      ),
    list: (skills) =>
      paragraphs(
        ...(skills.length > 0
          ? [
              'Diese Skills können Sie hier verwenden:',
              skillList(
                skills,
                maxListed,
                (count) => `${count} weitere; tippen Sie \`/\`, um sie zu finden`,
              ),
              'Frag nach dem, was einer von ihnen tut, oder wähle ihn mit `/`.',
            ]
          : ['Sie sehen hier keine Skills.']),
        'Ich bin das **Demo-Modell**, kein Sprachmodell: Ich wähle den Skill, der zu Ihren Worten passt, und zitiere seine Schritte.',
      ),
    introduce: (skills) =>
      paragraphs(
        'Ich bin das **Demo-Modell**, kein Sprachmodell: Ich wähle den Skill, der zu Ihren Worten passt, und zitiere seine Schritte. Zu dieser Nachricht passt keiner eindeutig.',
        ...(skills.length > 0
          ? [
              'Sie können diese ausprobieren oder mit `/` auswählen:',
              skillList(
                skills,
                maxProposed,
                (count) => `${count} weitere; tippen Sie \`/\`, um sie zu finden`,
              ),
            ]
          : ['Sie sehen hier keine Skills.']),
        'Für echte Antworten setzen Sie `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `GOOGLE_API_KEY` oder `MISTRAL_API_KEY`, oder starten Sie Ollama, und starten Sie Knowhow neu.',
      ),
    failed: (name, reason) =>
      paragraphs(
        `Ich bin das **Demo-Modell**, kein Sprachmodell. Ich wollte den Skill **${name}** verwenden, aber er ließ sich nicht aktivieren:`,
        `> ${oneLine(reason)}`,
      ),
  },
};

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

function fileList(heading: string, resources: string[]): string[] {
  return resources.length > 0
    ? [
        `${heading}: ${resources
          .slice(0, maxResources)
          .map((path) => `\`${path}\``)
          .join(', ')}`,
      ]
    : [];
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
