import { type PackedFile, parseSkill, readSkillDocument } from '@knowhow/skill-format';
import { detectMediaType } from '../../../platform/lib/media-type.ts';
import { isSkillFile } from './unpack-roots.ts';

/** Text if it is valid UTF-8 and round-trips, otherwise base64. */
interface Content {
  content: string;
  encoding?: 'base64';
}

interface PortableFile extends Content {
  path: string;
  contentType: string;
  executable?: true;
}

/** A skill as a JSON document, version 2 of the format. `content` is its `SKILL.md`. */
export interface PortableSkill {
  formatVersion: 2;
  skill: {
    name: string | undefined;
    slug: string;
    description: string | undefined;
    category: string | undefined;
    tags: readonly string[];
    version: string | undefined;
    requiresTools: readonly string[];
    content: string;
    contentEncoding?: 'base64';
    contentExecutable?: true;
    files: PortableFile[];
  };
  metadata: { exportedAt: string; exportedFrom: string; author?: string };
}

/**
 * The fields only repeat the frontmatter, for readers that do not parse it. Other fields would be
 * added to the frontmatter on import.
 *
 * @param displayName a display name that differs from `SKILL.md`
 */
export function portableSkill(
  folder: string,
  files: readonly PackedFile[],
  displayName?: string,
): PortableSkill {
  const main =
    files.find(({ path }) => path === 'SKILL.md') ?? files.find(({ path }) => isSkillFile(path));
  const bytes = main?.bytes ?? new Uint8Array();
  const { skill } = parseSkill(bytes, folder);
  const { fields } = readSkillDocument(bytes);
  const author = skill.metadata.author ?? fields.get('author')?.text?.trim();
  const { content, encoding } = contentOf(bytes);
  return {
    formatVersion: 2,
    skill: {
      name: displayName ?? (fields.get('name')?.text?.trim() ? skill.displayName : undefined),
      slug: folder,
      description: fields.get('description')?.text?.trim() && skill.description,
      category: skill.category,
      tags: skill.tags,
      version: skill.version,
      requiresTools: skill.requiresTools,
      content,
      ...(encoding ? { contentEncoding: encoding } : {}),
      ...(main?.executable ? { contentExecutable: true } : {}),
      files: files.filter((file) => file !== main).map(portableFile),
    },
    metadata: {
      exportedAt: new Date().toISOString(),
      exportedFrom: 'knowhow',
      ...(author ? { author } : {}),
    },
  };
}

function portableFile({ path, bytes, executable }: PackedFile): PortableFile {
  return {
    path,
    ...contentOf(bytes),
    contentType: contentType(path, bytes),
    ...(executable ? { executable } : {}),
  };
}

/** Control characters such as NUL take six characters each in JSON. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const controls = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]/;

function contentOf(bytes: Uint8Array): Content {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  return Buffer.from(text).equals(buffer) && !controls.test(text)
    ? { content: text }
    : { content: buffer.toString('base64'), encoding: 'base64' };
}

const textTypes: ReadonlyMap<string, string> = new Map([
  ['md', 'text/markdown'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['css', 'text/css'],
  ['js', 'text/javascript'],
  ['mjs', 'text/javascript'],
  ['py', 'text/x-python'],
  ['sh', 'application/x-sh'],
  ['json', 'application/json'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
  ['svg', 'image/svg+xml'],
]);

function contentType(path: string, bytes: Uint8Array): string {
  const { kind, type } = detectMediaType(path, bytes.subarray(0, 4096));
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return kind === 'text' ? (textTypes.get(extension) ?? 'text/plain') : type;
}
