import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { AnyEndpoint } from '@knowhow/shared/endpoint';
import { problem } from '@knowhow/shared/problem';
import { gitSkillsApi } from '@knowhow/shared/skills/git-skills';
import type { Request, RequestHandler, Response, Router } from 'express';
import { boundedQueue } from '../../../platform/http/bounded-queue.ts';
import { sendProblem } from '../../../platform/http/problem-handler.ts';
import { readUpload } from '../../../platform/http/read-upload.ts';
import { parseCall, recheckAccess, register } from '../../../platform/http/route.ts';
import { getSession } from '../../../platform/http/session.ts';
import { errorCode } from '../../../platform/lib/error-code.ts';
import type { PublishedRepository } from '../../skills/index.ts';
import { getPublishedView, type SkillDependencies } from '../../skills/routes/skill-routes.ts';

interface Dependencies extends SkillDependencies {
  publishedRepository: PublishedRepository;
}

/** Each is a process, and waits for its client. */
const queueLimits = {
  maxConcurrent: 16,
  maxWaiting: 100,
  maxPerCaller: 8,
  // A git client does not try again, and an office or a build cluster may have one address.
  maxWaitingPerCaller: 64,
  label: 'git requests',
};
const service = 'git-upload-pack';
const requestType = `application/x-${service}-request`;
const maxBodyBytes = 1024 * 1024;
/** After decompression. */
const maxPlainBytes = 4 * maxBodyBytes;

/** Serves a read-only repository to git clients (https://git-scm.com/docs/http-protocol). */
export function gitRoutes(router: Router, dependencies: Dependencies): void {
  const enqueue = boundedQueue(queueLimits);
  const { publishedRepository } = dependencies;
  const viewOf = (endpoint: AnyEndpoint, request: Request) => async () =>
    getPublishedView(dependencies, await recheckAccess(endpoint, request));
  router.all('/git/skills.git/git-receive-pack', refusePush);
  router.use('/git', askForKey);

  register(router, gitSkillsApi.refs, async (request, response) => {
    const { query } = parseCall(gitSkillsApi.refs, request, response);
    if (query.service === 'git-receive-pack') {
      refusePush();
    }
    if (query.service !== service) {
      throw problem('bad-request', 'Use git with smart HTTP: there are no files to download.');
    }
    const protocol = getProtocol(request);
    const refs = await enqueue(request, (signal) =>
      publishedRepository.advertise(viewOf(gitSkillsApi.refs, request), { protocol, signal }),
    );
    const line = protocol === 'version=2' ? '' : serviceLine;
    response.type(`application/x-${service}-advertisement`);
    response.end(Buffer.concat([Buffer.from(line), refs]));
  });

  register(router, gitSkillsApi.fetch, async (request, response) => {
    parseCall(gitSkillsApi.fetch, request, response);
    const body = await readBody(request);
    const protocol = getProtocol(request);
    response.type(`application/x-${service}-result`);
    await enqueue(request, (signal) =>
      publishedRepository
        .answer(viewOf(gitSkillsApi.fetch, request), { body, protocol, output: response, signal })
        .catch((error: unknown) => rethrowUnsent(response, error)),
    );
    response.end();
  });
}

/**
 * Asks for a key. A git client always begins without one, so that its first request is a step of a sign-in and not
 * recorded as denied.
 */
const askForKey: RequestHandler = (request, response, next) => {
  const { isNew, caller } = getSession(request);
  const hasSentOne = request.headers.authorization !== undefined;
  if (caller.mayUse && !(isNew && hasSentOne)) {
    next();
    return;
  }
  response.set('WWW-Authenticate', 'Basic realm="Knowhow", charset="UTF-8"');
  if (hasSentOne) {
    throw problem('not-signed-in', 'This key is unknown or has expired. Send one as the password.');
  }
  sendProblem(response, problem('not-signed-in', 'Send an API key as the password.'));
};

function refusePush(): never {
  throw problem('read-only', 'This repository is read-only. Edit skills in Knowhow.');
}

/** The first packet, in versions 0 and 1 of the protocol: its length in hex, and a flush packet. */
const serviceLine = `001e# service=${service}\n0000`;

/** Version 0 is the default of git, as for any unknown version. */
function getProtocol(request: Request): string | undefined {
  const asked = request.get('Git-Protocol') ?? '';
  return /(?:^|:)(version=[12])(?::|$)/.exec(asked)?.[1];
}

/** A git client understands what git has written. Its end is not a failure of the request. */
function rethrowUnsent(response: Response, error: unknown): void {
  if (!response.headersSent || response.destroyed) {
    throw error;
  }
}

const unpack = promisify(gunzip);

async function readBody(request: Request): Promise<Uint8Array> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  const isPacked = /^(?:x-)?gzip$/i.test(encoding);
  if (!request.is(requestType) || (!isPacked && encoding !== 'identity')) {
    throw problem('unsupported-type', `Send ${requestType}, as it is or with gzip.`);
  }
  const { bytes } = await readUpload(request, maxBodyBytes);
  if (!isPacked) {
    return bytes;
  }
  return unpack(bytes, { maxOutputLength: maxPlainBytes }).catch((cause: unknown) => {
    throw errorCode(cause) === 'ERR_BUFFER_TOO_LARGE'
      ? problem('too-large', 'The request is larger than the limit of 4 MiB after decompression.')
      : problem('bad-request', 'The body is not valid gzip.', { cause });
  });
}
