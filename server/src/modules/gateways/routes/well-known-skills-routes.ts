import { Problem, problem } from '@knowhow/shared/problem';
import { isPlainSkillName } from '@knowhow/shared/skills/skill-name';
import {
  discoverySchema,
  type PublishedSkill,
  wellKnownSkillsApi,
} from '@knowhow/shared/skills/well-known-skills';
import type { Router } from 'express';
import { boundedQueue } from '../../../platform/http/bounded-queue.ts';
import { route } from '../../../platform/http/route.ts';
import { sendArchive, sendFile } from '../../../platform/http/send-file.ts';
import { addToCache } from '../../../platform/lib/add-to-cache.ts';
import { getMarksChecksum } from '../../../platform/lib/files-checksum.ts';
import { sha256 } from '../../../platform/lib/sha256.ts';
import {
  publishLimits,
  type SkillView,
  type VisibleSkill,
  writeArchive,
} from '../../skills/index.ts';
import { getPublishedView, type SkillDependencies } from '../../skills/routes/skill-routes.ts';

/** Each may read, hash and compress the files of all skills. */
const queueLimits = {
  maxConcurrent: 2,
  maxWaiting: 50,
  maxPerCaller: 4,
  label: 'requests for skills',
};
const manifestName = 'SKILL.md';
const maxDescription = 1024;

/** Digests of archives by the checksum of their files, so that each is compressed once. */
type ArchiveDigests = Map<string, string>;
const maxDigests = 20_000;
/** Skills that are read at the same time. */
const atOnce = 8;

/** Serves skills to programs that know Agent Skills Discovery 0.2.0. */
export function wellKnownSkillsRoutes(router: Router, dependencies: SkillDependencies): void {
  const enqueue = boundedQueue(queueLimits);
  const digests: ArchiveDigests = new Map();

  route(router, wellKnownSkillsApi.index, async ({ caller, request, response }) => {
    const view = getPublishedView(dependencies, caller);
    const skills = await enqueue(request, (signal) => listPublished(view, digests, signal));
    const index = { $schema: discoverySchema, skills };
    response.set({
      ETag: `"${sha256(JSON.stringify(index), 'base64url')}"`,
      'Cache-Control': 'private, no-cache',
    });
    return index;
  });

  route(router, wellKnownSkillsApi.manifest, async ({ caller, params, response }) => {
    const view = getPublishedView(dependencies, caller);
    const skill = findPublished(view, params.name);
    const file = await view.openFile(skill, manifestName);
    if (!file) {
      throw notAvailable(params.name);
    }
    await sendFile(response, manifestName, file);
  });

  route(router, wellKnownSkillsApi.archive, async ({ caller, params, request, response }) => {
    const view = getPublishedView(dependencies, caller);
    const skill = findPublished(view, params.name);
    const bytes = await enqueue(request, async () => {
      if (!(await view.digestFiles(skill, publishLimits))) {
        throw notAvailable(params.name);
      }
      return packSkill(view, skill);
    });
    response.set('ETag', `"${sha256(bytes, 'base64url')}"`);
    sendArchive(response, `${skill.id}.tar.gz`, bytes);
  });
}

function findPublished(view: SkillView, name: string): VisibleSkill {
  const skill = view.find(name);
  if (!skill || !isPublished(skill)) {
    throw notAvailable(name);
  }
  return skill;
}

/** Skills of other servers are published there. */
function isPublished({ id, source }: VisibleSkill): boolean {
  return source !== 'mcp' && isPlainSkillName(id);
}

function notAvailable(name: string): Problem {
  return problem('not-found', `Skill "${name}" is not available.`);
}

async function listPublished(
  view: SkillView,
  digests: ArchiveDigests,
  signal: AbortSignal,
): Promise<PublishedSkill[]> {
  const published: PublishedSkill[] = [];
  const skills = view.skills.filter(isPublished);
  for (let first = 0; first < skills.length; first += atOnce) {
    signal.throwIfAborted();
    const some = skills.slice(first, first + atOnce);
    const entries = await Promise.all(some.map((skill) => describePublished(view, skill, digests)));
    published.push(...entries.filter((entry) => entry !== undefined));
  }
  return published;
}

/** Undefined for a skill above the limits, without a file named `SKILL.md`, or deleted meanwhile. */
async function describePublished(
  view: SkillView,
  skill: VisibleSkill,
  digests: ArchiveDigests,
): Promise<PublishedSkill | undefined> {
  try {
    const files = (await view.digestFiles(skill, publishLimits)) ?? [];
    const manifest = files.find(({ path }) => path === manifestName);
    if (!manifest) {
      return undefined;
    }
    const { id: name } = skill;
    const description = [...skill.description].slice(0, maxDescription).join('');
    if (files.length === 1) {
      const url = `${name}/${manifestName}`;
      return { name, type: 'skill-md', description, url, digest: `sha256:${manifest.digest}` };
    }
    const key = getMarksChecksum(files.map((file) => ({ ...file, checksum: file.digest })));
    const digest = digests.get(key) ?? sha256(await packSkill(view, skill));
    addToCache(digests, { key, value: digest, max: maxDigests });
    const url = `${name}.tar.gz`;
    return { name, type: 'archive', description, url, digest: `sha256:${digest}` };
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-found') {
      return undefined;
    }
    throw error;
  }
}

/** Its files without a top folder, as Agent Skills Discovery demands. */
async function packSkill(view: SkillView, skill: VisibleSkill): Promise<Buffer> {
  return writeArchive('', await view.readFiles(skill), 'tar.gz');
}
