import { chatApi } from '@knowhow/shared/chat/chat';
import { openaiApi } from '@knowhow/shared/chat/openai';
import { openaiResponsesApi } from '@knowhow/shared/chat/openai-responses';
import { triggerTestsApi } from '@knowhow/shared/skills/trigger-tests';
import type { Router } from 'express';
import type { Cluster } from '../cluster/cluster.ts';
import { limitStreams } from './limit-streams.ts';
import { limitRequests, windowSeconds } from './rate-limit.ts';

type Limits = (kind: 'turns' | 'streams') => () => number;

/** Limits starting turns, following turns and trigger tests, but not stopping a turn. */
export function limitTurns(router: Router, cluster: Cluster, limitOf: Limits): void {
  const turns = limitRequests(cluster.limiter('turns', windowSeconds), limitOf('turns'));
  const limitConcurrent = (name: string, tooMany: (most: number) => string) =>
    limitStreams(cluster.slots(name), limitOf('streams'), tooMany);
  router.post(
    [
      chatApi.turn.path,
      chatApi.beside.path,
      openaiApi.complete.path,
      openaiResponsesApi.create.path,
    ],
    turns,
    limitConcurrent(
      'streams',
      (most) => `${most} answers of yours are in progress. Wait for one to finish, or stop one.`,
    ),
  );
  router.get(
    chatApi.follow.path,
    limitConcurrent(
      'readers',
      (most) => `You are already following ${most} answers. Close one of them.`,
    ),
  );
  limitTriggerRuns(router, cluster);
}

/** Each test run makes hundreds of model requests. */
const maxTriggerRuns = 2;

function limitTriggerRuns(router: Router, cluster: Cluster): void {
  const slots = cluster.slots('trigger tests');
  const tooMany = (most: number) =>
    `${most} runs of yours are in progress. Wait for one to finish, or stop one.`;
  router.post(
    triggerTestsApi.run.path,
    limitStreams(slots, () => maxTriggerRuns, tooMany),
  );
}
