import { Readable } from 'node:stream';
import { type SharedConversation, sharingApi } from '@knowhow/shared/chat/sharing';
import { localize } from '@knowhow/shared/config/localized';
import { problem } from '@knowhow/shared/problem';
import type { RequestHandler, Router } from 'express';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { boundedQueue } from '../../../platform/http/bounded-queue.ts';
import { orNotFound } from '../../../platform/http/or-not-found.ts';
import { paginate } from '../../../platform/http/paginate.ts';
import { limitRequests, windowSeconds } from '../../../platform/http/rate-limit.ts';
import { type Call, parseCall, register, route } from '../../../platform/http/route.ts';
import { sendConversationFile, sendStream } from '../../../platform/http/send-file.ts';
import { getCaller } from '../../../platform/http/session.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import { type RunningTurns, viewInApp } from '../../chat/index.ts';
import type { Contents } from '../../content/index.ts';
import { type Caller, mayReadShared, mayShare } from '../../identity/index.ts';
import type { SkillStore } from '../../skills/index.ts';
import type { Shares } from '../sharing/shares.ts';

interface Dependencies {
  shares: Shares;
  runningTurns: RunningTurns;
  audit: AuditLog;
  contents: () => Contents;
  skills: SkillStore;
  cluster: Cluster;
}

/** Routes to share conversations by link, and to revoke links. */
export function sharingRoutes(router: Router, dependencies: Dependencies): void {
  const { shares, audit, contents } = dependencies;
  const queue = boundedQueue({
    maxConcurrent: 1,
    maxWaiting: 50,
    maxPerCaller: 4,
    label: 'shared conversations',
  });
  sharedRoutes(router, dependencies);

  route(router, sharingApi.get, async ({ caller, params }) => {
    const { appId: _, ...found } = orNotFound(
      await shares.find(caller.id, params.id),
      'conversation or link',
    );
    return { ...found, mayBePublic: contents().platform.sharing.public };
  });

  route(router, sharingApi.share, (call) =>
    queue(call.request, async () => {
      const created = await share(call, dependencies);
      const { id: target, path: _, title: __, ...after } = created;
      await audit.record({ by: call.caller, action: 'shared', kind: 'share', target, after });
      return created;
    }),
  );

  route(router, sharingApi.list, async ({ caller, query }) =>
    paginate(await shares.list(caller.id), query),
  );

  route(router, sharingApi.revoke, async ({ caller, params }) => {
    const { id: target, conversationId } = orNotFound(
      await shares.revoke(caller.id, params.id),
      'conversation or link',
    );
    const before = { conversationId };
    await audit.record({ by: caller, action: 'revoked', kind: 'share', target, before });
  });
}

async function share(
  { caller, params: { id }, body, language }: Call<typeof sharingApi.share>,
  { shares, runningTurns, contents, skills }: Dependencies,
) {
  const { platform, models } = contents();
  if (!mayShare(caller, platform)) {
    throw caller.anonymous
      ? problem('forbidden', 'Sign in first: guests cannot share conversations.')
      : problem('forbidden', 'Sharing is disabled.');
  }
  if (body.isPublic && !platform.sharing.public) {
    throw problem('forbidden', 'Public links are disabled. Share with members instead.');
  }
  const { appId } = orNotFound(await shares.find(caller.id, id), 'conversation or link');
  if (await runningTurns.find(id)) {
    throw problem('turn-running', 'An answer is in progress. Wait for it, then share.');
  }
  const view = viewInApp(caller, appId, { contents, skills });
  const sharing = {
    ...body,
    modelName: (model: string) => localize(models.get(model)?.name, language) || model,
    maySeeSkill: (name: string) => view?.find(name) !== undefined,
  };
  return orNotFound(await shares.share(caller.id, id, sharing), 'conversation or link');
}

/** Requests per minute of unauthenticated clients per address, including images. */
const maxGuestRequests = 120;

/** Routes that show a shared conversation to its readers. */
function sharedRoutes(router: Router, { shares, contents, cluster }: Dependencies): void {
  const guests = cluster.limiter('shared conversations', windowSeconds);
  const isLimited = () => contents().platform.rateLimit.requests !== 0;
  const limitGuests = limitRequests(guests, () => (isLimited() ? maxGuestRequests : 0));
  const queue = boundedQueue({
    maxConcurrent: 4,
    maxWaiting: 100,
    maxPerCaller: 8,
    label: 'shared conversations',
  });
  const open = async (token: string, caller: Caller) => {
    const found = await shares.open(token);
    if (!found || !mayReadShared(caller, found.isPublic, contents().platform)) {
      throw problem('not-found', 'This link is invalid. Ask the sender for a new one.');
    }
    return found;
  };

  router.use(['/shared', '/api/shared'], noIndex);
  router.use('/api/shared', (request, response, next) => {
    // Reading a shared conversation sets no cookie.
    response.removeHeader('Set-Cookie');
    return getCaller(request).anonymous ? limitGuests(request, response, next) : next();
  });

  register(router, sharingApi.read, async (request, response) => {
    const { caller, params } = parseCall(sharingApi.read, request, response);
    const { id, title, sharedAt, by, without } = await open(params.token, caller);
    await queue(request, async () => {
      const head = { title, sharedAt, without, ...(caller.anonymous ? {} : { by }) };
      response.type('json');
      await sendStream(response, Readable.from(streamJson(head, shares.messages(id))));
    });
  });

  route(router, sharingApi.file, async ({ caller, params, response }) => {
    const { id } = await open(params.token, caller);
    const file = await shares.readFile(id, params.id);
    if (!file) {
      throw problem('not-found', 'There is no such file.');
    }
    sendConversationFile(response, file);
  });
}

/** Keeps shared conversations out of search engines. */
const noIndex: RequestHandler = (_request, response, next) => {
  response.set('X-Robots-Tag', 'noindex, nofollow');
  next();
};

async function* streamJson(
  head: Omit<SharedConversation, 'messages'>,
  messages: AsyncIterable<string>,
): AsyncGenerator<Buffer> {
  const prefix = JSON.stringify(head).slice(0, -1);
  yield Buffer.from(`${prefix},"messages":[`);
  let isFirst = true;
  for await (const message of messages) {
    yield Buffer.from(isFirst ? message : `,${message}`);
    isFirst = false;
  }
  yield Buffer.from(']}');
}
