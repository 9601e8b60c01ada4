import { once } from 'node:events';
import type { OpenAiCompletion } from '@knowhow/shared/chat/openai';
import type { AnyEndpoint } from '@knowhow/shared/endpoint';
import type { Response } from 'express';
import {
  beginCompletion,
  type Completion,
  type CompletionDependencies,
} from '../../openai-api/begin-completion.ts';
import type { CompletionEnd, Heading } from '../../openai-api/completion-json.ts';
import { disconnectSignal } from '../disconnect-signal.ts';
import { traceparentOf } from '../observe-requests.ts';
import { addFacts } from '../request-facts.ts';
import type { Call } from '../route.ts';
import { sessionOf } from '../session.ts';

/** Begins an answer to the program that makes the request. Throws as `beginCompletion` does. */
export async function beginAnswer(
  { caller, language, request }: Pick<Call<AnyEndpoint>, 'caller' | 'language' | 'request'>,
  body: OpenAiCompletion,
  dependencies: CompletionDependencies,
): Promise<Completion> {
  const { callerNow } = sessionOf(request);
  const gone = disconnectSignal(request);
  const log = dependencies.log.child(addFacts(request, { model: body.model }));
  const completion = await beginCompletion(
    { caller, callerNow, body, language, traceparent: traceparentOf(request), gone },
    { ...dependencies, log },
  );
  addFacts(request, { conversation: completion.conversationId });
  return completion;
}

/** @param prefix of the id: programs tell from it what it is of */
export function headingOf(
  { conversationId }: Completion,
  { model }: Pick<OpenAiCompletion, 'model'>,
  prefix: string,
): Heading {
  return { id: prefix + conversationId, created: Math.floor(Date.now() / 1000), model };
}

/** Says which skills are active, as far as is known before the answer. */
function setHeaders(response: Response, { conversationId, skills }: Completion): void {
  response.set('X-Knowhow-Conversation', conversationId);
  response.set('X-Knowhow-Skills', skills().map(encodeURIComponent).join(','));
}

/** Sends an answer in one piece. @param bodyOf gets its whole text and its end */
export async function sendWhole(
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

/** Sends a frame of server-sent events, after the headers, and waits for a reader who is behind. */
export function frameSender(
  response: Response,
  completion: Completion,
): (frame: string) => Promise<void> {
  return async (frame) => {
    if (!response.headersSent) {
      setHeaders(response, completion);
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        // Whoever compresses on the way would hold pieces back.
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
      });
    }
    const isTaken = response.write(frame);
    if (!isTaken && !response.closed) {
      await drained(response);
    }
  };
}

/** Until the reader has caught up or has gone. */
async function drained(response: Response): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  // Else what waits for the other would stay, for each piece.
  waiting.abort();
}
