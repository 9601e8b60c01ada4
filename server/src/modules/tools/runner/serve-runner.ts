import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { parseWith } from '@knowhow/shared/describe-issue';
import type { z } from 'zod';
import { isEqualSecret } from '../../../platform/lib/is-equal-secret.ts';
import {
  copySchema,
  packFile,
  type RemoteState,
  type refusalSchema,
  runSchema,
} from './remote-wire.ts';
import { type Runner, RunnerFailure } from './runner.ts';
import type { SkillCopies } from './skill-copies.ts';

export interface ServedRunner {
  runner: Runner;
  copies: SkillCopies;
  token: string;
}

/** Maximum request size: the largest skill, base64-encoded. */
const maxBody = 128 * 1024 * 1024;

/** Serves a runner to remote Knowhow servers that have the token: see `remote-wire`. */
export function serveRunner(served: ServedRunner): Server {
  return createServer((request, response) => {
    answer(served, request, response).catch((error: unknown) => {
      refuse(
        response,
        error instanceof Refusal ? error : new Refusal(500, 'failed', messageOf(error)),
      );
    });
  });
}

type Code = z.infer<typeof refusalSchema>['code'];

class Refusal extends Error {
  readonly status: number;
  readonly code: Code;

  constructor(status: number, code: Code, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function answer(
  { runner, copies, token }: ServedRunner,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isEqualSecret(request.headers.authorization ?? '', `Bearer ${token}`)) {
    throw new Refusal(401, 'unauthorized', 'The token is not the one of this runner.');
  }
  const { pathname } = new URL(request.url ?? '/', 'http://runner');
  const removedSkill = /^\/v1\/skills\/([^/]+)$/.exec(pathname)?.[1];
  if (request.method === 'GET' && pathname === '/v1/state') {
    const state: RemoteState = {
      version: 1,
      runtimes: runner.runtimes,
      skills: await copies.list(),
    };
    return send(response, 200, state);
  }
  if (request.method === 'POST' && pathname === '/v1/skills') {
    return send(response, 200, await keepCopy(copies, await readJson(request)));
  }
  if (request.method === 'DELETE' && removedSkill !== undefined) {
    const { id } = parsed(copySchema.pick({ id: true }), { id: decodeURIComponent(removedSkill) });
    await copies.remove(id);
    return send(response, 200, {});
  }
  if (request.method === 'POST' && pathname === '/v1/runs') {
    const body = await readJson(request);
    return send(response, 200, await run({ runner, copies }, body, whenClosed(response)));
  }
  throw new Refusal(404, 'not-found', 'Not found.');
}

async function keepCopy(copies: SkillCopies, body: unknown): Promise<object> {
  const { id, checksum, files } = parsed(copySchema, body);
  if (!(await copies.write(id, checksum, files))) {
    throw new Refusal(400, 'invalid', 'The files do not have this checksum, or an invalid name.');
  }
  return {};
}

async function run(
  { runner, copies }: Pick<ServedRunner, 'runner' | 'copies'>,
  body: unknown,
  signal: AbortSignal,
): Promise<object> {
  const { skill, ...job } = parsed(runSchema, body);
  const files = await copies.read(skill.id, skill.checksum);
  if (!files) {
    throw new Refusal(409, 'no-copy', 'There is no copy of this skill as it is now.');
  }
  const result = await runner.run({ ...job, skill: { id: skill.id, files } }, signal);
  return { ...result, files: result.files.map(packFile) };
}

function parsed<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = parseWith(schema, body);
  if (!result.success) {
    throw new Refusal(400, 'invalid', result.error.issues[0]?.message ?? 'The request is invalid.');
  }
  return result.data;
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBody) {
      throw new Refusal(413, 'invalid', 'The request is too large.');
    }
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Refusal(400, 'invalid', 'The request is not valid JSON.');
  }
}

/** Aborts when the client disconnects. */
function whenClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.on('close', () => controller.abort());
  return controller.signal;
}

function refuse(response: ServerResponse, { status, code, message }: Refusal): void {
  if (!response.headersSent) {
    send(response, status, { code, message });
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}

function messageOf(error: unknown): string {
  return error instanceof RunnerFailure ? error.message : 'The runner has failed.';
}
