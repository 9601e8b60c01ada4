import type { Server } from 'node:http';
import { join } from 'node:path';
import type { ModelConfig } from '@knowhow/shared/config/models';
import { type App, type AppDependencies, createApp } from '../app.ts';
import { parseEnvironment } from '../env.ts';
import { createPasswords } from '../modules/identity/passwords.ts';
import type { AskModel } from '../modules/models/model.ts';
import type { SkillSource } from '../modules/skills/store/skill-source.ts';
import type { ToolSource } from '../modules/tools/tool-source.ts';
import type { Cluster } from '../platform/cluster/cluster.ts';
import { createLog, type Log } from '../platform/lib/log.ts';
import { serve } from '../serve.ts';
import { putFreshDatabase } from './put-fresh-database.ts';
import { says, scriptedModel } from './scripted-model.ts';
import { skillFile } from './skill-folder.ts';
import { createTestDatabase } from './test-database.ts';
import { type Files, temporaryFolder, writeFiles } from './write-files.ts';

interface Options {
  /** Added to the default files of `contents/`, or replacing them. */
  files?: Files;
  model?: AskModel;
  /** Replaces `model`: opens models like the product. */
  openModel?: AppDependencies['openModel'];
  environment?: Record<string, string>;
  /** Password hashing cost, as a power of two, in separate threads; low by default. */
  passwordRounds?: number;
  /** Silent by default. */
  log?: Log;
  /** Folder of built-in skills. */
  builtinSkills?: string;
  skillSources?: readonly SkillSource[];
  toolSources?: readonly ToolSource[];
  cluster?: Cluster;
  /** Starts on the folder of an earlier server. */
  folder?: string;
  /** A free port by default. */
  port?: number;
}

export interface TestServer {
  url: string;
  /** Contains `contents/` and `data/`. */
  folder: string;
  app: App;
  /** The generated password of `admin`. */
  newAdminPassword: string | undefined;
  /** A new visitor, which keeps its cookies. */
  visitor(): Visitor;
  server: Server;
  /** Shuts down gracefully, like a signal. */
  stop(): Promise<void>;
  /** Closes immediately. */
  close(): Promise<void>;
}

export type Visitor = (path: string, init?: VisitorRequest) => Promise<Response>;

interface VisitorRequest extends Omit<RequestInit, 'body'> {
  /** Sent as JSON. */
  json?: unknown;
  body?: string | Uint8Array;
}

/** The password of `admin` on all test servers. */
export const adminPassword = 'a password for tests';

/** Shared by all servers of a worker: starting a thread takes longer than the rest of a start. */
export const quickPasswords = { ...createPasswords(4), close: async () => undefined };

/** Starts the real application on loopback, with a fake model. */
export async function startTestServer(options: Options = {}): Promise<TestServer> {
  const folder = options.folder ?? (await temporaryFolder());
  await writeFiles(join(folder, 'contents'), {
    ...(options.folder === undefined ? defaultFiles : {}),
    ...options.files,
  });
  const place = await createTestDatabase(join(folder, 'data'));
  if (options.folder === undefined && place.databaseUrl === undefined) {
    await putFreshDatabase(place.dataDirectory);
  }
  const model = options.model ?? scriptedModel(says('Hello.')).ask;
  const environment = parseEnvironment({
    CONTENTS_DIR: join(folder, 'contents'),
    DATA_DIR: place.dataDirectory,
    DATABASE_URL: place.databaseUrl,
    ADMIN_PASSWORD: adminPassword,
    ...options.environment,
  });
  const app = await createApp({
    environment,
    log: options.log ?? createLog('silent'),
    openModel: options.openModel ?? (() => model),
    passwords:
      options.passwordRounds === undefined
        ? quickPasswords
        : createPasswords(options.passwordRounds),
    builtinSkills: options.builtinSkills,
    skillSources: options.skillSources ?? [],
    toolSources: options.toolSources ?? [],
    cluster: options.cluster,
    findModels: () => Promise.resolve<ModelConfig[]>([]),
  });
  await app.ready;
  const serving = await serve(app, { ...environment, host: '127.0.0.1', port: options.port ?? 0 });
  const { server, port, newAdminPassword, stop } = serving;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    folder,
    app,
    newAdminPassword,
    visitor: () => createVisitor(url),
    server,
    stop,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await app.close();
    },
  };
}

/** @param known an existing cookie */
export function createVisitor(url: string, known = ''): Visitor {
  let cookie = known;
  const send: Visitor = async (path, { json, ...init } = {}) => {
    const headers = new Headers(init.headers);
    if (cookie !== '') {
      headers.set('Cookie', cookie);
    }
    if (json !== undefined) {
      headers.set('Content-Type', 'application/json');
    }
    const response = await fetch(url + path, {
      ...init,
      method: init.method ?? (json === undefined ? 'GET' : 'POST'),
      headers,
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return response;
  };
  return (path, init) => {
    const response = send(path, init);
    // A failed test closes its server and awaits no more: its requests reject unhandled.
    response.catch(() => undefined);
    return response;
  };
}

const everything = { apps: ['*'], models: ['*'], prompts: ['*'], skills: ['*'] };

const anonymous = { id: 'anonymous', name: 'Anonymous' };
const admins = { id: 'admins', name: 'Admins' };

/** The `contents/` of a test server. */
export const defaultFiles = {
  'config/platform.json': { rateLimit: { requests: 0, turns: 0 } },
  'config/groups.json': {
    groups: {
      anonymous: { ...anonymous, permissions: everything },
      authenticated: { id: 'authenticated', name: 'Authenticated', inherits: ['anonymous'] },
      admins: { ...admins, permissions: { ...everything, adminAccess: true } },
    },
  },
  'config/skills.json': { skills: {} },
  'apps/chat.json': {
    id: 'chat',
    name: { en: 'Chat', de: 'Chat' },
    system: { en: 'You are helpful.', de: 'Du hilfst.' },
    skills: ['*'],
  },
  'models/scripted.json': {
    id: 'scripted',
    modelId: 'scripted',
    name: 'Scripted',
    provider: 'local',
    default: true,
  },
  'prompts/summary.json': { id: 'summary', name: 'Summary', prompt: 'Summarise [text].' },
  'skills/meeting-notes/SKILL.md': skillFile('meeting-notes', 'Turns notes into decisions.'),
  'skills/meeting-notes/references/format.md': 'One decision a line.\n',
  'skills/release-notes/SKILL.md': skillFile('release-notes', 'Writes release notes.'),
} satisfies Files;

/** Files that grant everyone all tools; the default ones grant none. */
export const withAllTools = {
  'config/groups.json': {
    groups: {
      anonymous: { ...anonymous, permissions: { ...everything, tools: ['*'] } },
      admins: { ...admins, permissions: { ...everything, tools: ['*'], adminAccess: true } },
    },
  },
  'apps/chat.json': { ...defaultFiles['apps/chat.json'], tools: ['*'] },
} satisfies Files;

/** The model file of a test server, with overridden fields. */
export function modelWith(config: Record<string, unknown>): Files {
  return { 'models/scripted.json': { ...defaultFiles['models/scripted.json'], ...config } };
}
