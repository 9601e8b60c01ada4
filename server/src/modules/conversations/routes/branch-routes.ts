import { linesApi } from '@knowhow/shared/lines';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { route } from '../../../platform/http/route.ts';
import { type RunningTurns, takeConversation } from '../../chat/index.ts';
import type { ConversationStore } from '../conversation-store.ts';

interface Dependencies {
  conversations: ConversationStore;
  runningTurns: RunningTurns;
}

export function branchRoutes(router: Router, { conversations, runningTurns }: Dependencies): void {
  route(router, linesApi.change, async ({ caller, params: { id }, body }) => {
    if (!(await conversations.has(caller.id, id))) {
      throw problem('not-found', 'There is no such conversation.');
    }
    // Takes the conversation as a turn does, so that no turn starts and no other branch switch runs
    // meanwhile.
    const turn = await takeConversation(
      { conversationId: id, owner: caller.id, appId: '' },
      { conversations, runningTurns },
    );
    if (!turn) {
      throw problem(
        'turn-running',
        'An answer is in progress. Wait for it or stop it before switching branches.',
      );
    }
    try {
      await conversations.switchBranch(caller.id, { id, question: body.question });
    } finally {
      await turn.end();
    }
  });
}
