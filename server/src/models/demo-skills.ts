/** A skill as the catalogue in a system prompt tells of it. */
export interface CatalogueEntry {
  name: string;
  description: string;
}

/** A skill's instructions as an activation puts them into a conversation. */
export interface SkillContent {
  name: string;
  body: string;
  /** Paths of its other files. */
  resources: string[];
}

/** Reads the `<available_skills>` block of a system prompt. */
export function readCatalogue(system: string): CatalogueEntry[] {
  // A skill's own instructions may hold such a block as an example.
  const own = system.replaceAll(contentBlock, '');
  const block =
    [...own.matchAll(/<available_skills>(.*?)<\/available_skills>/gs)].at(-1)?.[1] ?? '';
  return [...block.matchAll(/<skill>(.*?)<\/skill>/gs)].flatMap(([, skill = '']) => {
    const name = fieldOf(skill, 'name');
    return name ? [{ name, description: fieldOf(skill, 'description') }] : [];
  });
}

/** The skills that the user picked for this very message, as the system prompt tells. */
export function readPicked(system: string): string[] {
  const own = system.replaceAll(contentBlock, '');
  const names = /For this message the user asks for: (.+)\.$/m.exec(own)?.[1];
  return names?.split(', ') ?? [];
}

/** Reads every `<skill_content>` block of a system prompt or a tool's result. */
export function readSkillContents(text: string): SkillContent[] {
  return [...text.matchAll(contentBlock)].map(([, name = '', content = '']) => {
    const base = content.lastIndexOf('\nBase: skill://');
    const body = base === -1 ? content : content.slice(0, base);
    const manifest = content.slice(body.length);
    return {
      name: unescapeXml(name),
      body: body.trim(),
      resources: [...manifest.matchAll(/<file\b[^>]*>(.*?)<\/file>/gs)].map(([, path = '']) =>
        unescapeXml(path),
      ),
    };
  });
}

const contentBlock = /<skill_content name="([^"]*)">(.*?)<\/skill_content>/gs;

function fieldOf(xml: string, name: string): string {
  return unescapeXml(new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1] ?? '').trim();
}

const namedSigns: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function unescapeXml(text: string): string {
  return text.replaceAll(
    /&(?:(lt|gt|quot|apos|amp)|#(\d{1,6})|#x([\da-f]{1,5}));/gi,
    (_, name: string | undefined, decimal: string | undefined, hex = '') =>
      name
        ? (namedSigns[name.toLowerCase()] ?? '')
        : String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16)),
  );
}
