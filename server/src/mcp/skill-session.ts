import type { Client } from '@modelcontextprotocol/client';
import { type Skill, SkillsClient } from '@modelcontextprotocol/client/ext/skills';

/** A file of a skill as its server lists it. */
export interface ListedFile {
  uri: string;
  /** In bytes. */
  size: number;
  /** `sha256:` and 64 hexadecimal digits. */
  digest: string;
}

/** A skill as its server lists it: nothing of it has been read. */
export interface ListedSkill {
  /** Of its `SKILL.md`. */
  uri: string;
  frontmatter: { name: string; description: string } & Record<string, unknown>;
  files: readonly ListedFile[];
}

export interface SkillListing {
  skills: readonly ListedSkill[];
  /** What was listed and is not used, as `uri: why`. */
  refused: readonly string[];
  /** How long the listing counts, in milliseconds. */
  ttlMs: number;
}

/** What a connection to a server can do with its skills. */
export interface SkillSession {
  /** Undefined for a server that has none. */
  list(signal: AbortSignal): Promise<SkillListing | undefined>;
  /**
   * The bytes of a file, in size and digest as listed; of a `SKILL.md` with the very frontmatter that was
   * listed. Throws for anything else.
   */
  read(skill: ListedSkill, uri: string, signal: AbortSignal): Promise<Uint8Array>;
}

/** More skills of one server, and files of one skill, are not taken. */
const mostSkills = 2000;
const most = { files: 512, bytes: 16 * 1024 * 1024 };

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
        const why = taken.length < mostSkills ? whyRefused(skill) : 'There are too many skills.';
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
  return resources.length > most.files || bytes > most.bytes
    ? `It has more than ${most.files} files or ${most.bytes / 1024 / 1024} MiB.`
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
