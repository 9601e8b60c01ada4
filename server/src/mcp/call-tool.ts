import { isRecord } from '@knowhow/shared/is-record';
import type { Client } from '@modelcontextprotocol/client';
import { questionOf, type Reply, replyOf } from './ask-user.ts';
import type { SessionCall } from './server-session.ts';

/** How often a server may ask in the middle of one call. */
const maxRounds = 10;
/** The longest timer that there is: how long a call may take its signal says. */
const noLimit = 2 ** 31 - 1;

/** Calls a tool and answers what it asks meanwhile, where the era has that in its answers. */
export async function callTool(client: Client, call: SessionCall): Promise<unknown> {
  const { name, input, parameters, signal } = call;
  let params: Parameters<Client['callTool']>[0] = { name, arguments: input };
  for (let round = 0; round <= maxRounds; round += 1) {
    const result: unknown = await client.callTool(params, {
      signal,
      timeout: noLimit,
      allowInputRequired: true,
      toolDefinition: { name, inputSchema: { ...parameters, type: 'object' } },
      onprogress: (progress) => call.progress(progressText(progress)),
    });
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

async function answerAll(call: SessionCall, requests: unknown) {
  const responses: Record<string, Reply> = {};
  for (const [key, request] of Object.entries(isRecord(requests) ? requests : {})) {
    if (!isRecord(request) || request.method !== 'elicitation/create') {
      throw new Error('It asked for something that is not given to servers.');
    }
    responses[key] = await answer(call, request.params);
  }
  return Object.keys(responses).length === 0 ? {} : { inputResponses: responses };
}

/**
 * Answers what a server asks. One of the older era does not say for which call: where several are under way
 * nobody is asked, since it could be the wrong person, and `onSeveral` is called.
 */
export async function answerOne(
  calls: ReadonlySet<SessionCall>,
  params: unknown,
  onSeveral: () => void,
): Promise<Reply> {
  const [call, other] = calls;
  if (other) {
    onSeveral();
  }
  return !call || other ? { action: 'cancel' } : answer(call, params);
}

async function answer({ ask }: SessionCall, params: unknown): Promise<Reply> {
  const question = questionOf(params);
  if (!question) {
    return { action: 'decline' };
  }
  // Why nobody could be asked is nothing for a server.
  return replyOf(question, await ask(question).catch(() => ({ action: 'cancel' as const })));
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
