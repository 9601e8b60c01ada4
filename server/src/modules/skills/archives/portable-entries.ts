import { parseWith } from '@knowhow/shared/describe-issue';
import { isRecord } from '@knowhow/shared/is-record';
import { issuesOf } from '@knowhow/shared/problem';
import { slug } from '@knowhow/shared/skills/skill-name';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { completeFrontmatter, diagnose } from '@knowhow/skill-format';
import { z } from 'zod';
import type { UnpackEntry } from './unpack-entry.ts';
import type { ArchiveIssue, ReportIssue } from './unpack-faults.ts';
import { documentLimits } from './unpack-limits.ts';

/** Supported version of the format. Documents without a version are assumed to have it. */
const formatVersion = 2;

const contentSchema = z.object({
  content: z.string(),
  encoding: z.enum(['text', 'utf8', 'utf-8', 'base64']).nullish(),
  executable: z.boolean().nullish(),
});

const skillSchema = z.object({
  name: z.string().nullish(),
  slug: z.string().nullish(),
  description: z.string().nullish(),
  category: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  version: z.string().nullish(),
  requiresTools: z.array(z.string()).nullish(),
  content: contentSchema.shape.content,
  contentEncoding: contentSchema.shape.encoding,
  contentExecutable: contentSchema.shape.executable,
  files: z
    .array(contentSchema.extend({ path: z.string() }))
    .max(documentLimits.entries)
    .nullish(),
});

interface PortableEntries {
  entries: UnpackEntry[];
  /** Folder name proposed by the document. */
  folder?: string;
  /** Changes that were made to its fields. */
  diagnostics?: Diagnostic[];
}

/** The files of a portable skill, `SKILL.md` first. Reports issues. */
export function portableEntries(bytes: Buffer, report: ReportIssue): PortableEntries {
  if (hasManyTokens(bytes)) {
    report('', faults.tooManyParts);
    return { entries: [] };
  }
  const document = parseJson(bytes);
  const version = document?.formatVersion ?? document?.schemaVersion ?? formatVersion;
  if (!document || version !== formatVersion) {
    report('', document ? faults.version : faults.json);
    return { entries: [] };
  }
  const inner = typeof document.skill === 'object' ? document.skill : document;
  const { data: skill, error } = parseWith(skillSchema, inner);
  if (!skill) {
    for (const { path, message } of issuesOf(error)) {
      report(path, { code: 'portable-field', message });
    }
    return { entries: [] };
  }
  const isBase64 = skill.contentEncoding === 'base64';
  const { author } = isRecord(document.metadata) ? document.metadata : {};
  const fields = { ...skill, author: typeof author === 'string' ? author : undefined };
  const main = {
    path: 'SKILL.md',
    content: isBase64 ? skill.content : completeFrontmatter(skill.content, fields),
    encoding: skill.contentEncoding,
    executable: skill.contentExecutable,
  };
  const entries = [main, ...(skill.files ?? [])].map((file) => entryOf(file, report));
  const written = skill.slug?.trim() ?? '';
  const folder = slug(written);
  const values = { written, name: folder };
  const isRenamed = folder !== '' && folder !== written;
  const diagnostics = isRenamed ? [diagnose('name-invalid', { text: 'name-illegal', values })] : [];
  return { entries, folder, diagnostics };
}

/** Whether JSON is or claims to be a portable skill, even if it is invalid. */
export function isPortable(bytes: Buffer): boolean {
  const document = hasManyTokens(bytes) ? undefined : parseJson(bytes);
  return !document || ['content', 'skill', 'formatVersion'].some((key) => key in document);
}

const faults = {
  json: { code: 'damaged', message: 'It begins like JSON, but is not valid or was cut off.' },
  tooManyParts: { code: 'too-many-entries', message: 'The JSON has too many parts for a skill.' },
  version: {
    code: 'portable-version',
    message: `Its "formatVersion" is unknown; version ${formatVersion} can be read.`,
  },
  base64: { code: 'base64', message: 'The content should be base64, but is not.' },
  text: { code: 'text', message: 'The content contains an incomplete character.' },
} satisfies Record<string, ArchiveIssue>;

const maxTokens = 20 * documentLimits.entries;

/**
 * Checked before parsing: a JSON parser has no memory limit, and may need twenty times the size of
 * the text.
 */
function hasManyTokens(bytes: Uint8Array): boolean {
  let count = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length && count <= maxTokens; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      isInString = !isInString;
    } else if (isInString) {
      at += byte === backslash ? 1 : 0;
    } else if (separators.has(byte)) {
      count += 1;
    }
  }
  return count > maxTokens;
}

const [quote, backslash, ...others] = Buffer.from('"\\,:[{');
const separators: ReadonlySet<number | undefined> = new Set(others);

function parseJson(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

type PortableFile = z.infer<typeof contentSchema> & { path: string };

function entryOf(file: PortableFile, report: ReportIssue): UnpackEntry {
  const { path, content, executable } = file;
  const isBase64 = file.encoding === 'base64';
  const bytes = Buffer.from(content, isBase64 ? 'base64' : 'utf8');
  if (isBase64 && bytes.toString('base64') !== content.replace(/\s+/g, '')) {
    report(path, faults.base64);
  }
  if (!isBase64 && /\p{Cs}/u.test(content)) {
    report(path, faults.text);
  }
  return {
    name: path,
    kind: 'file',
    executable: executable ?? false,
    size: bytes.length,
    read: () => bytes,
  };
}
