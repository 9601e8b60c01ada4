import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { boundedQueue } from '../../../platform/http/bounded-queue.ts';
import { orNotFound } from '../../../platform/http/or-not-found.ts';
import { route } from '../../../platform/http/route.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import { markOutdated, type RunningTurns, type Titles } from '../../chat/index.ts';
import type { Contents } from '../../content/index.ts';
import type { Analytics } from '../../insights/index.ts';
import type { SkillStore } from '../../skills/index.ts';
import type { ConversationStore } from '../conversation-store.ts';

interface Dependencies {
  conversations: ConversationStore;
  runningTurns: RunningTurns;
  titles: Titles;
  analytics: Analytics;
  contents: () => Contents;
  skills: SkillStore;
  audit: AuditLog;
}

export function conversationRoutes(router: Router, dependencies: Dependencies): void {
  const { conversations, runningTurns, titles, analytics, audit } = dependencies;

  const queueSearch = boundedQueue({
    maxConcurrent: 1,
    maxWaiting: 100,
    maxPerCaller: 8,
    label: 'searches',
  });
  // The longest conversation is some 20 MB as JSON, buffered until it is sent.
  const queueRead = boundedQueue({
    maxConcurrent: 4,
    maxWaiting: 200,
    maxPerCaller: 12,
    label: 'conversations',
  });

  route(router, conversationsApi.list, ({ caller, query, request }) =>
    query.query === undefined
      ? conversations.list(caller.id, query)
      : queueSearch(request, (gone) => conversations.list(caller.id, query, gone)),
  );

  route(router, conversationsApi.get, ({ caller, params, request }) =>
    queueRead(request, async () => {
      const found = orNotFound(await conversations.find(caller.id, params.id), 'conversation');
      // An app's embedded chat shows only that app's conversations.
      orNotFound(
        caller.embeddedIn === undefined || caller.embeddedIn === found.appId,
        'conversation',
      );
      return markOutdated(found, caller, dependencies);
    }),
  );

  route(router, conversationsApi.title, async ({ caller, params }) => {
    orNotFound(await conversations.has(caller.id, params.id), 'conversation');
    await titles.written(params.id);
    const title = await conversations.titleOf(caller.id, params.id);
    return orNotFound(title === undefined ? undefined : { title }, 'conversation');
  });

  route(router, conversationsApi.change, async ({ caller, params, body }) =>
    orNotFound(await conversations.change(caller.id, params.id, body), 'conversation'),
  );

  route(router, conversationsApi.remove, async ({ caller, params }) => {
    orNotFound(await conversations.has(caller.id, params.id), 'conversation');
    const comparison = await conversations.findComparisonBranch(params.id);
    await runningTurns.stop(params.id, caller.id);
    if (comparison !== undefined) {
      await runningTurns.stop(comparison, caller.id);
    }
    await conversations.remove(caller.id, params.id);
    const what = { kind: 'conversation' as const, target: params.id };
    await audit.record({ by: caller, action: 'delete', ...what });
  });

  route(router, conversationsApi.giveFeedback, async ({ caller, params, body }) => {
    const { value, reason } = body;
    const feedback = value === null ? null : { value, ...(reason ? { reason } : {}) };
    if (!(await conversations.giveFeedback(caller.id, params.id, feedback))) {
      throw problem('not-found', 'There is no such answer.');
    }
  });

  route(router, conversationsApi.endSkill, async ({ caller, params }) => {
    const { id, name } = params;
    const running = await runningTurns.find(id);
    if (!(await conversations.endSkill(caller.id, id, name))) {
      throw problem('not-found', `Skill "${name}" is not active in this conversation.`);
    }
    // A running turn notices it automatically.
    if (!running) {
      analytics.countEnd({ conversationId: id, skill: name });
    }
  });
}
