import { openaiResponsesApi } from '@knowhow/shared/chat/openai-responses';
import { Problem } from '@knowhow/shared/problem';
import type { Response, Router } from 'express';
import { parseCall, register } from '../../../platform/http/route.ts';
import type { Completion } from '../openai-api/begin-completion.ts';
import type { CompletionHeader } from '../openai-api/completion-json.ts';
import { toOpenAiError } from '../openai-api/openai-error.ts';
import {
  readResponseRequest,
  rethrowWithResponseFields,
} from '../openai-api/read-response-request.ts';
import {
  createResponse,
  createResponseEvents,
  type ResponseEvent,
} from '../openai-api/response-json.ts';
import {
  beginAnswer,
  type CompletionServices,
  createHeading,
  frameSender,
  sendComplete,
} from './send-completion.ts';

/** The OpenAI Responses API, on top of chat completions. */
export function openAiResponsesRoutes(router: Router, services: CompletionServices): void {
  register(router, openaiResponsesApi.create, async (request, response) => {
    const call = parseCall(openaiResponsesApi.create, request, response);
    const { body } = call;
    const completion = await beginAnswer(call, readResponseRequest(body), services).catch(
      rethrowWithResponseFields,
    );
    const heading = createHeading(completion, body, 'resp_');
    await (body.stream
      ? sendEvents(response, completion, heading)
      : sendComplete(response, completion, (text, end) =>
          createResponse(heading, completion.active(), { text, end }),
        ));
  });
}

async function sendEvents(
  response: Response,
  completion: Completion,
  heading: CompletionHeader,
): Promise<void> {
  const sendFrame = frameSender(response, completion);
  let sequence_number = 0;
  const send = async (events: readonly ResponseEvent[]) => {
    for (const event of events) {
      const data = JSON.stringify({ ...event, sequence_number });
      sequence_number += 1;
      await sendFrame(`event: ${event.type}\ndata: ${data}\n\n`);
    }
  };
  const responseStream = createResponseEvents(heading, completion.active);
  try {
    for await (const event of completion.events) {
      if (!response.headersSent) {
        await send(responseStream.begin());
      }
      if (event.type === 'retract') {
        continue;
      }
      await send(
        event.type === 'text' ? responseStream.add(event.text) : responseStream.end(event),
      );
    }
  } catch (error) {
    if (!response.headersSent || !(error instanceof Problem)) {
      throw error;
    }
    await send([{ ...toOpenAiError(error).error, type: 'error' }]);
  }
  response.end();
}
