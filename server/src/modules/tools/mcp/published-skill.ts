import { isUtf8 } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import { Problem } from '@knowhow/shared/problem';
import { isPlainSkillName } from '@knowhow/shared/skills/skill-name';
import { sha256 } from '../../../platform/lib/sha256.ts';
import {
  maxSkillFileBytes,
  publishLimits,
  readSkillDocument,
  type SkillView,
  type VisibleSkill,
} from '../../skills/index.ts';

/** A skill as published over the MCP skills extension (SEP-2640). */
export interface PublishedSkill {
  skill: VisibleSkill;
  /**
   * Path segments between the ID and the files in URIs. The last segment of all must be the skill's
   * name.
   */
  below: readonly string[];
  /** As written, in JSON. */
  frontmatter: Frontmatter;
  /** Undefined for a skill without versions. */
  version: ReturnType<SkillView['getVersion']>;
  /** All files by path, including `SKILL.md`. */
  files: readonly PublishedFile[];
}

export interface PublishedFile {
  path: string;
  /** In bytes. */
  size: number;
  /** `sha256:` and 64 hexadecimal digits. */
  digest: string;
}

interface Frontmatter extends Record<string, unknown> {
  name: string;
  description: string;
}

const manifestName = 'SKILL.md';
/** Diagnostics that strict parsers tolerate. */
const harmless: ReadonlySet<string> = new Set(['byte-order-mark', 'line-endings', 'yaml-comment']);

/**
 * Prepares a skill for publication. Undefined if the extension does not support it: ambiguous or
 * invalid frontmatter, too large, or deleted. Skills of other servers are not republished.
 */
export async function publishSkill(
  view: SkillView,
  skill: VisibleSkill,
): Promise<PublishedSkill | undefined> {
  if (skill.source === 'mcp') {
    return undefined;
  }
  try {
    const bytes = await readManifest(view, skill);
    const frontmatter = bytes && frontmatterOf(bytes);
    const files = frontmatter && (await view.digestFiles(skill, publishLimits));
    const isWhole = files?.some(({ path }) => path === manifestName) && files.every(hasUri);
    if (!bytes || !frontmatter || !files || !isWhole) {
      return undefined;
    }
    return {
      skill,
      below: frontmatter.name === skill.id ? [] : [frontmatter.name],
      frontmatter,
      version: view.getVersion(skill),
      // The manifest's digest must match the bytes parsed above, even if the file has changed
      // since.
      files: files.map(({ path, size, digest }) =>
        path === manifestName
          ? { path, size: bytes.length, digest: prefixed(sha256(bytes)) }
          : { path, size, digest: prefixed(digest) },
      ),
    };
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-found') {
      return undefined;
    }
    throw error;
  }
}

async function readManifest(view: SkillView, skill: VisibleSkill): Promise<Buffer | undefined> {
  const file = await view.openFile(skill, manifestName);
  return file && file.size <= maxSkillFileBytes ? file.read(0, file.size) : undefined;
}

/** Undefined if it breaks a rule of the extension, or hosts could parse it differently. */
function frontmatterOf(bytes: Buffer): Frontmatter | undefined {
  const document = isUtf8(bytes) ? readSkillDocument(bytes) : undefined;
  if (!document?.hasFrontmatter || document.diagnostics.some(({ code }) => !harmless.has(code))) {
    return undefined;
  }
  const written = asJson(document);
  return written && keepsRules(written) ? written : undefined;
}

/** Undefined if JSON cannot represent it. */
function asJson({
  fields,
}: ReturnType<typeof readSkillDocument>): Record<string, unknown> | undefined {
  const written = Object.fromEntries([...fields].map(([key, { value }]) => [key, value]));
  const json: unknown = JSON.parse(JSON.stringify(written));
  return isDeepStrictEqual(json, written) ? written : undefined;
}

function keepsRules(written: Record<string, unknown>): written is Frontmatter {
  const { name, description, compatibility, metadata } = written;
  return (
    typeof name === 'string' &&
    isPlainSkillName(name) &&
    isText(description, 1024) &&
    (compatibility === undefined || isText(compatibility, 500)) &&
    (metadata === undefined || isTextMap(metadata))
  );
}

function isText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value !== '' && [...value].length <= maxLength;
}

function isTextMap(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((entry) => typeof entry === 'string')
  );
}

/** A lone surrogate cannot be encoded in a URI. */
function hasUri({ path }: { path: string }): boolean {
  return !/\p{Cs}/u.test(path);
}

function prefixed(digest: string): string {
  return `sha256:${digest}`;
}
