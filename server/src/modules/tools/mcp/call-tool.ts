import { isRecord } from '@knowhow/shared/is-record';
import type { Client } from '@modelcontextprotocol/client';
import { type ElicitationReply, parseElicitation, toElicitationReply } from './elicitation.ts';
import type { SessionCall } from './server-session.ts';

/** Maximum elicitation rounds per call. */
const maxRounds = 10;
/** The largest timeout of a timer: the call's signal enforces the real limit. */
export const noLimit = 2 ** 31 - 1;

/** Calls a tool and answers its elicitations where the protocol era returns them as results. */
export async function callTool(client: Client, call: SessionCall): Promise<unknown> {
  const { name, input, parameters, signal } = call;
  let params: Parameters<Client['callTool']>[0] = { name, arguments: input };
  for (let round = 0; round <= maxRounds; round += 1) {
    const result = await client
      .callTool(params, {
        signal,
        timeout: noLimit,
        allowInputRequired: true,
        toolDefinition: { name, inputSchema: { ...parameters, type: 'object' } },
        onprogress: (progress) => call.progress(progressText(progress)),
      })
      .catch((error: unknown) => visitPages(call, error));
    if (result === visited) {
      continue;
    }
    if (!isRecord(result) || result.resultType !== 'input_required') {
      return result;
    }
    params = {
      ...params,
      ...(await answerAll(call, result.inputRequests)),
      ...(typeof result.requestState === 'string' ? { requestState: result.requestState } : {}),
    };
  }
  throw new Error(`It asked for more input ${maxRounds} times.`);
}

const visited = Symbol('requested pages have been visited');
/** Error code of a legacy server: the user must open a URL before the call. */
const pagesFirst = -32042;
const maxPages = 3;

/**
 * Has the user open the URLs that a call requires. Throws the original error, or that the user
 * declined.
 */
async function visitPages(call: SessionCall, error: unknown): Promise<typeof visited> {
  const { code, data } = (isRecord(error) ? error : {}) as Record<string, unknown>;
  const asked = isRecord(data) && Array.isArray(data.elicitations) ? data.elicitations : [];
  if (code !== pagesFirst || asked.length === 0 || asked.length > maxPages) {
    throw error;
  }
  for (const page of asked) {
    const reply = await answer(call, { ...(isRecord(page) ? page : {}), mode: 'url' });
    if (reply.action !== 'accept') {
      throw new Error('A page has to be opened for this, and the user has not opened it.');
    }
  }
  return visited;
}

async function answerAll(call: SessionCall, requests: unknown) {
  const responses: Record<string, ElicitationReply> = {};
  for (const [key, request] of Object.entries(isRecord(requests) ? requests : {})) {
    if (!isRecord(request) || request.method !== 'elicitation/create') {
      throw new Error('It asked for something that is not given to servers.');
    }
    responses[key] = await answer(call, request.params);
  }
  return Object.keys(responses).length === 0 ? {} : { inputResponses: responses };
}

/**
 * Answers an elicitation. Legacy servers do not say for which call it is. If several calls are
 * running, it is cancelled, since it could reach the wrong user, and `onSeveral` is called.
 */
export async function answerOne(
  calls: ReadonlySet<SessionCall>,
  params: unknown,
  onSeveral: () => void,
): Promise<ElicitationReply> {
  const [call, other] = calls;
  if (other) {
    onSeveral();
  }
  return !call || other ? { action: 'cancel' } : answer(call, params);
}

async function answer({ ask }: SessionCall, params: unknown): Promise<ElicitationReply> {
  const question = parseElicitation(params);
  if (!question) {
    return { action: 'decline' };
  }
  // The server does not need to know why the user could not be asked.
  return toElicitationReply(
    question,
    await ask(question).catch(() => ({ action: 'cancel' as const })),
  );
}

function progressText({
  progress,
  total,
  message,
}: {
  progress: number;
  total?: number;
  message?: string;
}): string {
  const count = total === undefined ? `${progress}` : `${progress}/${total}`;
  return message === undefined ? count : `${count} ${message.slice(0, 200)}`;
}
