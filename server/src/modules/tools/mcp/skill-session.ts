import type { Client } from '@modelcontextprotocol/client';
import { type Skill, SkillsClient } from '@modelcontextprotocol/client/ext/skills';

/** A file of a skill as listed by its server. */
export interface ListedFile {
  uri: string;
  /** In bytes. */
  size: number;
  /** `sha256:` and 64 hexadecimal digits. */
  digest: string;
}

/** A skill as listed by its server; none of its files has been read. */
export interface ListedSkill {
  /** URI of its `SKILL.md`. */
  uri: string;
  frontmatter: { name: string; description: string } & Record<string, unknown>;
  files: readonly ListedFile[];
}

export interface SkillListing {
  skills: readonly ListedSkill[];
  /** Rejected skills, as `uri: why`. */
  refused: readonly string[];
  /** How long the listing is valid, in milliseconds. */
  ttlMs: number;
}

/** Skill requests of a connection. */
export interface SkillSession {
  /** Undefined if the server has no skills. */
  list(signal: AbortSignal): Promise<SkillListing | undefined>;
  /**
   * Reads a file and verifies its size and digest, and the frontmatter of a `SKILL.md`. Throws on a
   * mismatch.
   */
  read(skill: ListedSkill, uri: string, signal: AbortSignal): Promise<Uint8Array>;
}

/** Maximum skills per server, and limits per skill. */
const maxSkills = 2000;
const limits = { files: 512, bytes: 16 * 1024 * 1024 };

export function skillSession(client: Client): SkillSession {
  const skills = new SkillsClient(client, { skipInvalid: true });
  return {
    list: async (signal) => {
      if (!skills.supported) {
        return undefined;
      }
      const { skills: listed, invalid, ttlMs = 0 } = await skills.list({}, { signal });
      const refused = invalid.map(({ uri = 'a skill', reason }) => `${uri}: ${reason}`);
      const taken: ListedSkill[] = [];
      for (const skill of listed) {
        const why = taken.length < maxSkills ? whyRefused(skill) : 'There are too many skills.';
        if (why === undefined) {
          taken.push(listedSkill(skill));
        } else {
          refused.push(`${skill.uri}: ${why}`);
        }
      }
      return { skills: taken, refused, ttlMs };
    },
    read: async ({ uri: manifest, frontmatter, files }, uri, signal) => {
      const resources = files.map(({ ...file }) => file);
      const entry = { uri: manifest, frontmatter, resources };
      const file = await skills.read(entry, uri, { signal, cacheMode: 'bypass' });
      return file.bytes;
    },
  };
}

function whyRefused({ resources }: Skill): string | undefined {
  if (resources === 'dynamic') {
    return 'It does not say which files it has, so that nothing of it can be checked.';
  }
  const bytes = resources.reduce((sum, { size }) => sum + size, 0);
  return resources.length > limits.files || bytes > limits.bytes
    ? `It has more than ${limits.files} files or ${limits.bytes / 1024 / 1024} MiB.`
    : undefined;
}

function listedSkill({ uri, frontmatter, resources }: Skill): ListedSkill {
  const files = resources === 'dynamic' ? [] : resources;
  return {
    uri,
    frontmatter,
    files: files.map((file) => ({ uri: file.uri, size: file.size, digest: file.digest })),
  };
}
