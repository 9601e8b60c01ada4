import { toolsApi } from '@knowhow/shared/config/tools';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { route } from '../../../platform/http/route.ts';
import { sendConversationFile } from '../../../platform/http/send-file.ts';
import type { ConversationStore } from '../../conversations/index.ts';
import { decide, describeForUser } from '../ask-consent.ts';
import { getConsentSkill } from '../code-consent.ts';
import type { CallServices } from '../run-tool.ts';
import { scriptsTitle } from '../script-source.ts';

interface Dependencies {
  conversations: ConversationStore;
  callServices: CallServices;
}

/** Routes for users' decisions on tool calls, and for tool results. */
export function toolRoutes(router: Router, { conversations, callServices }: Dependencies): void {
  const { questions, consents, toolbox, files } = callServices;
  const checkOwner = async (owner: string, id: string) => {
    if (!(await conversations.owns(owner, id))) {
      throw problem('not-found', 'There is no such conversation.');
    }
  };

  route(router, toolsApi.consent, async ({ caller, params, body }) => {
    const { id: conversationId, callId } = params;
    await checkOwner(caller.id, conversationId);
    if (!(await decide(questions, { conversationId, callId }, body.decision))) {
      throw nothingPending();
    }
  });

  route(router, toolsApi.answer, async ({ caller, params, body }) => {
    await checkOwner(caller.id, params.id);
    if (!(await questions.answer(params.id, params.question, body))) {
      throw nothingPending();
    }
  });

  route(router, toolsApi.result, async ({ caller, params }) => {
    const found = await conversations.findCall(caller.id, params.id, params.number);
    if (!found) {
      throw problem('not-found', 'There is no such call.');
    }
    return found;
  });

  route(router, toolsApi.file, async ({ caller, params, response }) => {
    const file = await files.read(caller.id, params.id);
    if (!file) {
      throw problem('not-found', 'There is no such file.');
    }
    sendConversationFile(response, file);
  });

  route(router, toolsApi.consents, async ({ caller }) => {
    const stored = await consents.listOf(caller.id);
    const known = new Map(
      (await toolbox.listAll()).map((tool) => [tool.id, describeForUser(tool)]),
    );
    return {
      items: stored.map((consent) => ({
        ...consent,
        ...(known.get(consent.tool) ?? describeCodeConsent(consent.tool)),
      })),
    };
  });

  route(router, toolsApi.revoke, async ({ caller, params }) => {
    if (!(await consents.revoke(caller.id, params.id))) {
      throw problem('not-found', 'You have given no such consent.');
    }
  });
}

/** Consent to a skill's code. If the skill is gone, shows its ID. */
function describeCodeConsent(subject: string) {
  const skill = getConsentSkill(subject);
  return skill === undefined
    ? { title: subject, source: '' }
    : { title: skill, source: scriptsTitle.title, sourceKey: scriptsTitle.titleKey };
}

function nothingPending() {
  return problem(
    'not-found',
    'Nothing is waiting for this answer any more. Reload the conversation.',
  );
}
