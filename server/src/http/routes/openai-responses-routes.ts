import { openaiResponsesApi } from '@knowhow/shared/chat/openai-responses';
import { Problem } from '@knowhow/shared/problem';
import type { Response, Router } from 'express';
import type { Completion, CompletionDependencies } from '../../openai-api/begin-completion.ts';
import type { Heading } from '../../openai-api/completion-json.ts';
import { openAiError } from '../../openai-api/openai-error.ts';
import { readResponseRequest, withInput } from '../../openai-api/read-response-request.ts';
import { type ResponseEvent, responseEvents, responseOf } from '../../openai-api/response-json.ts';
import { parseCall, register } from '../route.ts';
import { beginAnswer, frameSender, headingOf, sendWhole } from './answer-program.ts';

/** The OpenAI Responses API, on top of chat completions. */
export function openAiResponsesRoutes(router: Router, dependencies: CompletionDependencies): void {
  register(router, openaiResponsesApi.create, async (request, response) => {
    const call = parseCall(openaiResponsesApi.create, request, response);
    const { body } = call;
    const completion = await beginAnswer(call, readResponseRequest(body), dependencies).catch(
      withInput,
    );
    const heading = headingOf(completion, body, 'resp_');
    await (body.stream
      ? sendEvents(response, completion, heading)
      : sendWhole(response, completion, (text, end) =>
          responseOf(heading, completion.skills(), { text, end }),
        ));
  });
}

async function sendEvents(
  response: Response,
  completion: Completion,
  heading: Heading,
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
  const responseStream = responseEvents(heading, completion.skills);
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
    await send([{ ...openAiError(error).error, type: 'error' }]);
  }
  response.end();
}
