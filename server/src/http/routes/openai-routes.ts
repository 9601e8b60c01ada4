import { once } from 'node:events';
import { openaiApi } from '@knowhow/shared/openai';
import { Problem } from '@knowhow/shared/problem';
import type { Response, Router } from 'express';
import {
  beginCompletion,
  type Completion,
  type CompletionDependencies,
} from '../../openai-api/begin-completion.ts';
import {
  callDeltas,
  chunk,
  type Heading,
  usageChunk,
  wholeAnswer,
} from '../../openai-api/completion-json.ts';
import { findNamed, modelNames } from '../../openai-api/model-names.ts';
import { openAiError } from '../../openai-api/openai-error.ts';
import { traceparentOf } from '../observe-requests.ts';
import { refuseUnknownToken } from '../refuse-unknown-token.ts';
import { addFacts } from '../request-facts.ts';
import { parseCall, register, route } from '../route.ts';
import { sessionOf } from '../session.ts';
import { whenGone } from '../when-gone.ts';

/** For programs that speak like OpenAI: a model is an app, with the skills and rights of whoever asks. */
export function openAiRoutes(router: Router, dependencies: CompletionDependencies): void {
  router.use('/v1', refuseUnknownToken);

  route(router, openaiApi.models, ({ caller }) => ({
    object: 'list' as const,
    data: modelNames(caller, dependencies).map(modelOf),
  }));

  route(router, openaiApi.model, ({ caller, params: { name } }) => {
    findNamed(name, caller, dependencies);
    return modelOf(name);
  });

  register(router, openaiApi.complete, async (request, response) => {
    const { body, caller, language } = parseCall(openaiApi.complete, request, response);
    const { callerNow } = sessionOf(request);
    const gone = whenGone(request);
    const log = dependencies.log.child(addFacts(request, { model: body.model }));
    const completion = await beginCompletion(
      { caller, callerNow, body, language, traceparent: traceparentOf(request), gone },
      { ...dependencies, log },
    );
    const { conversationId: id } = completion;
    addFacts(request, { conversation: id });
    const created = Math.floor(Date.now() / 1000);
    const heading = { id: `chatcmpl-${id}`, created, model: body.model };
    await (body.stream
      ? sendPieces(response, completion, heading, body.stream_options?.include_usage === true)
      : sendWhole(response, completion, heading));
  });
}

function modelOf(id: string) {
  return { id, object: 'model' as const, created: 0, owned_by: 'knowhow' };
}

async function sendWhole(
  response: Response,
  completion: Completion,
  heading: Heading,
): Promise<void> {
  let text = '';
  for await (const event of completion.events) {
    if (event.type === 'text') {
      text += event.text;
    } else {
      setHeaders(response, completion);
      response.json(wholeAnswer(heading, text, event, completion.skills()));
    }
  }
}

/** Which skills are active is known once there is something to say: nothing is sent before. */
async function sendPieces(
  response: Response,
  completion: Completion,
  heading: Heading,
  withUsage: boolean,
): Promise<void> {
  const send = sender(response, completion);
  try {
    for await (const event of completion.events) {
      if (!response.headersSent) {
        await send(chunk(heading, { role: 'assistant', content: '' }, { withUsage }));
      }
      if (event.type === 'text') {
        await send(chunk(heading, { content: event.text }, { withUsage }));
        continue;
      }
      const skills = completion.skills();
      if (event.calls.length > 0) {
        const tool_calls = callDeltas(event.calls, skills);
        await send(chunk(heading, { tool_calls }, { withUsage }));
      }
      await send(chunk(heading, {}, { withUsage, reason: event.reason, skills }));
      if (withUsage) {
        await send(usageChunk(heading, event));
      }
      response.end('data: [DONE]\n\n');
    }
  } catch (error) {
    if (!response.headersSent || !(error instanceof Problem)) {
      throw error;
    }
    response.end(`data: ${JSON.stringify(openAiError(error))}\n\n`);
  }
}

/** Sends a piece, and waits for a reader who is behind. Ends with one who has gone. */
function sender(response: Response, completion: Completion): (piece: object) => Promise<void> {
  return async (piece) => {
    if (!response.headersSent) {
      setHeaders(response, completion);
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        // Whoever compresses on the way would hold pieces back.
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
      });
    }
    const isTaken = response.write(`data: ${JSON.stringify(piece)}\n\n`);
    if (!isTaken && !response.closed) {
      await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
  };
}

function setHeaders(response: Response, { conversationId, skills }: Completion): void {
  response.set('X-Knowhow-Conversation', conversationId);
  response.set('X-Knowhow-Skills', skills().map(encodeURIComponent).join(','));
}
