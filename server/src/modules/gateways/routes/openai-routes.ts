import { openaiApi } from '@knowhow/shared/chat/openai';
import { Problem } from '@knowhow/shared/problem';
import type { Response, Router } from 'express';
import { rejectUnknownToken } from '../../../platform/http/reject-unknown-token.ts';
import { parseCall, register, route } from '../../../platform/http/route.ts';
import type { Completion } from '../openai-api/begin-completion.ts';
import {
  type CompletionHeader,
  createCallDeltas,
  createChunk,
  createCompletion,
  createUsageChunk,
} from '../openai-api/completion-json.ts';
import { listModelNames, resolveModelName } from '../openai-api/model-names.ts';
import { toOpenAiError } from '../openai-api/openai-error.ts';
import {
  beginAnswer,
  type CompletionServices,
  createHeading,
  frameSender,
  sendComplete,
} from './send-completion.ts';

/** The OpenAI-compatible API. A model is an app, with the caller's skills and permissions. */
export function openAiRoutes(router: Router, services: CompletionServices): void {
  router.use('/v1', rejectUnknownToken());

  route(router, openaiApi.models, ({ caller }) => ({
    object: 'list' as const,
    data: listModelNames(caller, services).map(toModel),
  }));

  route(router, openaiApi.model, ({ caller, params: { name } }) => {
    resolveModelName(name, caller, services);
    return toModel(name);
  });

  register(router, openaiApi.complete, async (request, response) => {
    const call = parseCall(openaiApi.complete, request, response);
    const { body } = call;
    const completion = await beginAnswer(call, body, services);
    const heading = createHeading(completion, body, 'chatcmpl-');
    await (body.stream
      ? sendChunks(response, completion, heading, body.stream_options?.include_usage === true)
      : sendComplete(response, completion, (text, end) =>
          createCompletion(heading, text, end, completion.active()),
        ));
  });
}

function toModel(id: string) {
  return { id, object: 'model' as const, created: 0, owned_by: 'knowhow' };
}

/** Sends nothing before the first output: until then the active skills are unknown. */
async function sendChunks(
  response: Response,
  completion: Completion,
  heading: CompletionHeader,
  withUsage: boolean,
): Promise<void> {
  const sendFrame = frameSender(response, completion);
  const send = (piece: object) => sendFrame(`data: ${JSON.stringify(piece)}\n\n`);
  try {
    for await (const event of completion.events) {
      if (!response.headersSent) {
        await send(createChunk(heading, { role: 'assistant', content: '' }, { withUsage }));
      }
      if (event.type === 'text') {
        await send(createChunk(heading, { content: event.text }, { withUsage }));
        continue;
      }
      if (event.type === 'retract') {
        continue;
      }
      const active = completion.active();
      if (event.calls.length > 0) {
        const tool_calls = createCallDeltas(event.calls, active.skills);
        await send(createChunk(heading, { tool_calls }, { withUsage }));
      }
      await send(createChunk(heading, {}, { withUsage, reason: event.reason, active }));
      if (withUsage) {
        await send(createUsageChunk(heading, event));
      }
      response.end('data: [DONE]\n\n');
    }
  } catch (error) {
    if (!response.headersSent || !(error instanceof Problem)) {
      throw error;
    }
    response.end(`data: ${JSON.stringify(toOpenAiError(error))}\n\n`);
  }
}
