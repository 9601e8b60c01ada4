import { join } from 'node:path';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillSourcesApi } from '@knowhow/shared/skills/skill-sources';
import { onTestFinished } from 'vitest';
import type { Cluster } from '../platform/cluster/cluster.ts';
import { createLocalCluster } from '../platform/cluster/local-cluster.ts';
import { type GitServer, startGitServer } from './git-server.ts';
import { parseAnswer } from './parse-answer.ts';
import { signInAdmin } from './sign-in-admin.ts';
import { skillFile } from './skill-folder.ts';
import { defaultFiles, startTestServer, type Visitor } from './start-test-server.ts';
import type { Files } from './write-files.ts';

interface Options {
  environment?: Record<string, string> | ((git: GitServer) => Record<string, string>);
  /** Added to the default files of `contents/`. */
  files?: Files;
  rateLimit?: Record<string, number>;
  cluster?: Cluster;
  /** Another server reads the same repositories. */
  git?: GitServer;
}

export const sourcesPath = '/api/admin/skill-sources';

/** Address of the differences of a proposed change. */
export const filesPath = (id: string, key: string) =>
  `${sourcesPath}/${id}/proposal/files?key=${encodeURIComponent(key)}`;

/** A server that may read repositories of a git server on loopback, and an administrator. */
export async function startGitSources(options: Options = {}) {
  const { environment = {}, files, rateLimit = {}, cluster } = options;
  const git = options.git ?? (await startGitServer());
  const platform = { outbound: { allowPrivate: ['127.0.0.1'] }, rateLimit };
  const server = await startTestServer({
    files: { ...defaultFiles, 'config/platform.json': platform, ...files },
    environment: typeof environment === 'function' ? environment(git) : environment,
    cluster,
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  return { git, server, admin, ...doors(admin), folder: join(server.folder, 'contents') };
}

function doors(admin: Visitor) {
  const { create, sync, proposal, files, apply, list } = skillSourcesApi;
  const at = sourcesPath;
  return {
    list: () => parseAnswer(list.response, admin(at)),
    create: (json: object) => parseAnswer(create.response, admin(at, { json })),
    sync: (id: string) => parseAnswer(sync.response, admin(`${at}/${id}/sync`, { method: 'POST' })),
    proposal: (id: string) => parseAnswer(proposal.response, admin(`${at}/${id}/proposal`)),
    filesOf: (id: string, { key }: { key: string }) =>
      parseAnswer(files.response, admin(filesPath(id, key))),
    take: (id: string, take: string[], more: object = {}) =>
      parseAnswer(apply.response, admin(`${at}/${id}/proposal/apply`, { json: { take, ...more } })),
    write: async (name: string, path: string, body: string) => {
      const file = `/api/admin/skills/${name}/files/${path}`;
      const response = await admin(file, { method: 'PUT', body });
      if (!response.ok) {
        throw new Error(await response.text());
      }
    },
    isOn: async (name: string) => {
      const detail = admin(`/api/admin/skills/${name}`);
      return (await parseAnswer(adminSkillsApi.get.response, detail)).status === 'on';
    },
  };
}

/** A cluster whose scheduled jobs can be run at any time. */
export function jobsOnDemand() {
  const local = createLocalCluster();
  const jobs = new Map<string, (lost: AbortSignal) => Promise<void>>();
  const cluster: Cluster = {
    ...local,
    oneNode: (name, cron, work) => {
      jobs.set(name, work);
      return local.oneNode(name, cron, work);
    },
  };
  return {
    cluster,
    runJob: async (name: string) => jobs.get(name)?.(new AbortController().signal),
  };
}

/** A skill of a repository. */
export const sourceSkill = (name: string, body = 'One.\n') =>
  skillFile(name, `Does ${name}. Use when asked.`, body);

/** The keys of proposed changes. */
export const keysOf = ({ changes }: { changes: readonly { key: string }[] }) =>
  changes.map(({ key }) => key);
