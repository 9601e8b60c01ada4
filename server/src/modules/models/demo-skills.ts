/** A skill as listed in the catalogue of a system prompt. */
export interface CatalogueEntry {
  name: string;
  description: string;
}

/** A skill's instructions as an activation inserts them. */
export interface SkillContent {
  name: string;
  body: string;
  /** Paths of its resource files. */
  resources: string[];
}

/** Parses the `<available_skills>` block of a system prompt. */
export function readCatalogue(system: string): CatalogueEntry[] {
  const own = withoutContents(system);
  const block = between(own, '<available_skills>', '</available_skills>').at(-1)?.text ?? '';
  return between(block, '<skill>', '</skill>').flatMap(({ text: skill }) => {
    const name = getField(skill, 'name');
    return name ? [{ name, description: getField(skill, 'description') }] : [];
  });
}

/** A user's message without the context that was sent with it. */
export interface UserWords {
  words: string;
  /** Names of the skills that the user picked. */
  picked: string[];
}

/** Extracts the user's own words and picked skills from a message. */
export function readUserWords(content: string): UserWords {
  const own = withoutInstructions(withoutContents(content).trim());
  if (!own.startsWith(pickedPrefix)) {
    return { words: own, picked: [] };
  }
  const [line = ''] = own.split('\n', 1);
  const names = line.slice(pickedPrefix.length);
  return {
    words: own.slice(line.length).trim(),
    picked: names.endsWith('.') ? names.slice(0, -1).split(', ') : [],
  };
}

/** Custom instructions come first in a message. */
function withoutInstructions(content: string): string {
  const end = content.startsWith('<user_instructions>') ? content.indexOf(instructionsEnd) : -1;
  return end === -1 ? content : content.slice(end + instructionsEnd.length).trim();
}

const instructionsEnd = '</user_instructions>';

const pickedPrefix = 'For this message the user asks for: ';

/** Parses every `<skill_content>` block of a message or a tool's result. */
export function readSkillContents(text: string): SkillContent[] {
  return between(text, contentOpening, contentClosing).map(({ text: block }) => {
    const [name = ''] = block.split('"', 1);
    // The opening tag may have more attributes, such as `source`; a `>` in them is escaped.
    const content = block.slice(block.indexOf('>') + 1);
    const base = content.lastIndexOf('\nBase: skill://');
    const body = base === -1 ? content : content.slice(0, base);
    const manifest = content.slice(body.length);
    return {
      name: unescapeXml(name),
      body: body.trim(),
      resources: between(manifest, '<file ', '</file>').map(({ text: file }) =>
        unescapeXml(file.slice(file.indexOf('>') + 1)),
      ),
    };
  });
}

const contentOpening = '<skill_content name="';
const contentClosing = '</skill_content>';

/** Removes skill contents, which may contain such a block as an example. */
function withoutContents(system: string): string {
  const pieces: string[] = [];
  let end = 0;
  for (const { start, text } of between(system, contentOpening, contentClosing)) {
    pieces.push(system.slice(end, start - contentOpening.length));
    end = start + text.length + contentClosing.length;
  }
  return pieces.join('') + system.slice(end);
}

function getField(xml: string, name: string): string {
  return unescapeXml(between(xml, `<${name}>`, `</${name}>`)[0]?.text ?? '').trim();
}

interface Block {
  start: number;
  text: string;
}

/**
 * Finds the texts between each opening tag and the next closing tag. A regular expression would rescan for each
 * closing tag.
 */
function between(text: string, opening: string, closing: string): Block[] {
  const blocks: Block[] = [];
  let at = text.indexOf(opening);
  while (at >= 0) {
    const start = at + opening.length;
    const end = text.indexOf(closing, start);
    if (end < 0) {
      break;
    }
    blocks.push({ start, text: text.slice(start, end) });
    at = text.indexOf(opening, end + closing.length);
  }
  return blocks;
}

const namedEntities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function unescapeXml(text: string): string {
  return text.replaceAll(
    /&(?:(lt|gt|quot|apos|amp)|#(\d{1,6})|#x([\da-f]{1,5}));/gi,
    (_, name: string | undefined, decimal: string | undefined, hex = '') =>
      name
        ? (namedEntities[name.toLowerCase()] ?? '')
        : String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16)),
  );
}
