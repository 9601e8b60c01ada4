import { Problem, problem } from '@knowhow/shared/problem';
import { conversationSkillApi } from '@knowhow/shared/skills/conversation-skill';
import type { Router } from 'express';
import { followRun } from '../../../platform/http/follow-run.ts';
import { orNotFound } from '../../../platform/http/or-not-found.ts';
import { getLogFields } from '../../../platform/http/request-log-fields.ts';
import { stream } from '../../../platform/http/stream.ts';
import type { Log } from '../../../platform/lib/log.ts';
import type { Contents } from '../../content/index.ts';
import type { ConversationStore } from '../../conversations/index.ts';
import { type Quotas, requireSkillOwner } from '../../identity/index.ts';
import type { ModelList } from '../model-list.ts';
import { writeSkill } from '../write-skill/write-skill.ts';

interface Services {
  contents: () => Contents;
  conversations: ConversationStore;
  models: ModelList;
  quotas: Pick<Quotas, 'begin'>;
  log: Log;
}

/** Skills from conversations. */
export function conversationSkillRoutes(
  router: Router,
  { conversations, log, ...services }: Services,
): void {
  stream(router, conversationSkillApi.write, async ({ params, ...call }) => {
    const { caller, language, request } = call;
    requireSkillOwner(caller);
    const conversation = orNotFound(await conversations.find(caller.id, params.id), 'conversation');
    return followRun(request, conversationSkillApi.write, async (signal, send) => {
      const onProgress = progressSteps((characters) => send({ type: 'progress', characters }));
      const wanted = { caller, conversation, language, signal, onProgress };
      try {
        send({ type: 'skill', skill: await writeSkill(wanted, services) });
      } catch (error) {
        if (!(error instanceof Problem) && !signal.aborted) {
          log.child(getLogFields(request)).warn({ error }, 'writing a skill failed');
        }
        send({ type: 'error', problem: toProblem(error).toBody() });
      }
    });
  });
}

/** Passes on a number of characters when it has grown enough to be shown. */
function progressSteps(onProgress: (characters: number) => void): (characters: number) => void {
  let last = 0;
  return (characters) => {
    if (characters >= last + 100) {
      last = characters;
      onProgress(characters);
    }
  };
}

function toProblem(cause: unknown): Problem {
  return cause instanceof Problem
    ? cause
    : problem('internal', 'The skill could not be written. Try again.', { cause });
}
