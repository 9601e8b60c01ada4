import { once } from 'node:events';
import type { OpenAiCompletion } from '@knowhow/shared/chat/openai';
import type { AnyEndpoint } from '@knowhow/shared/endpoint';
import type { Response } from 'express';
import { disconnectSignal } from '../../../platform/http/disconnect-signal.ts';
import { getTraceparent } from '../../../platform/http/observe-requests.ts';
import { addLogFields } from '../../../platform/http/request-log-fields.ts';
import type { Call } from '../../../platform/http/route.ts';
import { getSession } from '../../../platform/http/session.ts';
import type { TurnObserver } from '../../chat/index.ts';
import type { PersonalDataStore, Quotas } from '../../identity/index.ts';
import {
  beginCompletion,
  type Completion,
  type CompletionDependencies,
} from '../openai-api/begin-completion.ts';
import type { CompletionEnd, CompletionHeader } from '../openai-api/completion-json.ts';

/** Services for answers to programs. */
export interface CompletionServices extends Omit<CompletionDependencies, 'observers'> {
  quotas: Pick<Quotas, 'begin'>;
  personalData: PersonalDataStore;
  /** Called for each turn of a conversation that is not stored. */
  programObservers: readonly TurnObserver[];
}

/** Starts an answer to an API client. Throws as `beginCompletion` does. */
export async function beginAnswer(
  { caller, language, request }: Pick<Call<AnyEndpoint>, 'caller' | 'language' | 'request'>,
  body: OpenAiCompletion,
  services: CompletionServices,
): Promise<Completion> {
  const { recheck: callerNow } = getSession(request);
  const signal = disconnectSignal(request);
  const log = services.log.child(addLogFields(request, { model: body.model }));
  const completion = await beginCompletion(
    { caller, callerNow, body, language, traceparent: getTraceparent(request), signal },
    {
      ...services,
      log,
      takeTurn: services.quotas.begin,
      personal: services.personalData,
      observers: services.programObservers,
    },
  );
  addLogFields(request, { conversation: completion.conversationId });
  return completion;
}

/** @param prefix of the ID: clients tell the kind of object by it */
export function createHeading(
  { conversationId }: Completion,
  { model }: Pick<OpenAiCompletion, 'model'>,
  prefix: string,
): CompletionHeader {
  return { id: prefix + conversationId, created: Math.floor(Date.now() / 1000), model };
}

/** Reports which skills are active, as far as that is known before the answer. */
function setHeaders(response: Response, { conversationId, active }: Completion): void {
  response.set('X-Knowhow-Conversation', conversationId);
  response.set('X-Knowhow-Skills', active().skills.map(encodeURIComponent).join(','));
}

/** Sends a complete answer. @param bodyOf creates the body from its whole text and its end */
export async function sendComplete(
  response: Response,
  completion: Completion,
  bodyOf: (text: string, end: CompletionEnd) => unknown,
): Promise<void> {
  let text = '';
  for await (const event of completion.events) {
    if (event.type === 'text') {
      text += event.text;
    } else if (event.type === 'retract') {
      text = text.slice(0, Math.max(0, text.length - event.characters));
    } else {
      setHeaders(response, completion);
      response.json(bodyOf(text, event));
    }
  }
}

/** Sends a frame of server-sent events, after the headers. Waits while the reader is behind (backpressure). */
export function frameSender(
  response: Response,
  completion: Completion,
): (frame: string) => Promise<void> {
  return async (frame) => {
    if (!response.headersSent) {
      setHeaders(response, completion);
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        // Keeps proxies from compressing, which would buffer chunks.
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
      });
    }
    const canWriteMore = response.write(frame);
    if (!canWriteMore && !response.closed) {
      await drained(response);
    }
  };
}

/** Resolves when the reader has caught up or has disconnected. */
async function drained(response: Response): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  // Otherwise the other listener would leak with each chunk.
  waiting.abort();
}
