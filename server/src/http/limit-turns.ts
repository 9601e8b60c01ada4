import { chatApi } from '@knowhow/shared/chat/chat';
import { openaiApi } from '@knowhow/shared/chat/openai';
import { openaiResponsesApi } from '@knowhow/shared/chat/openai-responses';
import { triggerTestsApi } from '@knowhow/shared/skills/trigger-tests';
import type { Router } from 'express';
import type { Cluster } from '../cluster/cluster.ts';
import { limitStreams } from './limit-streams.ts';
import { limitRequests, windowSeconds } from './rate-limit.ts';

type Limits = (kind: 'turns' | 'streams') => () => number;

/** Beginning a turn, following one and trying many; not stopping one. */
export function limitTurns(router: Router, cluster: Cluster, limitOf: Limits): void {
  const turns = limitRequests(cluster.limiter('turns', windowSeconds), limitOf('turns'));
  const under = (name: string, tooMany: (most: number) => string) =>
    limitStreams(cluster.slots(name), limitOf('streams'), tooMany);
  router.post(
    [
      chatApi.turn.path,
      chatApi.beside.path,
      openaiApi.complete.path,
      openaiResponsesApi.create.path,
    ],
    turns,
    under(
      'streams',
      (most) => `${most} answers are under way for you. Wait for one to end, or stop one.`,
    ),
  );
  router.get(
    chatApi.follow.path,
    under('readers', (most) => `You follow ${most} answers already. Close one of them.`),
  );
  limitTrials(router, cluster);
}

/** Each asks models hundreds of times. */
const trialsAtOnce = 2;

function limitTrials(router: Router, cluster: Cluster): void {
  const slots = cluster.slots('trigger tests');
  const tooMany = (most: number) =>
    `${most} runs of yours are under way. Wait for one to end, or stop one.`;
  router.post(
    triggerTestsApi.run.path,
    limitStreams(slots, () => trialsAtOnce, tooMany),
  );
}
