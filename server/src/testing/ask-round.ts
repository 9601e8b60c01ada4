import type { ModelConfig } from '@knowhow/shared/config/models';
import type { ModelRequest } from '../modules/models/model.ts';
import { type Gathered, gather, neverAborted, openWireModel } from './ask-wire.ts';
import type { ScriptedHttp } from './scripted-http.ts';
import { skillTool, toolResult } from './tool-conversation.ts';
import type { VendorWire, WireAnswer } from './vendor-wire.ts';

/** Sends a request and returns the body received by the provider. */
export async function bodySent(
  server: ScriptedHttp,
  wire: VendorWire,
  request: ModelRequest,
  fields?: Partial<ModelConfig>,
): Promise<unknown> {
  server.reply({ chunks: wire.answer({ text: ['Fine.'] }) });
  await gather(openWireModel(wire, server.origin, fields)(request, neverAborted));
  return server.requests.at(-1)?.body;
}

/**
 * Plays two rounds: the provider answers with thinking and a call, whose result is sent back.
 * Returns the first round's events and the second request's body.
 */
export async function playToolRound(
  server: ScriptedHttp,
  wire: VendorWire,
  answer: WireAnswer,
  fields?: Partial<ModelConfig>,
): Promise<{ first: Gathered; body: unknown }> {
  const question: ModelRequest = {
    system: '',
    tools: [skillTool],
    messages: [{ role: 'user', content: 'Write minutes' }],
  };
  server.reply({ chunks: wire.answer(answer) });
  const first = await gather(openWireModel(wire, server.origin, fields)(question, neverAborted));
  const body = await bodySent(
    server,
    wire,
    {
      ...question,
      messages: [
        ...question.messages,
        {
          role: 'assistant',
          content: first.text,
          toolCalls: first.calls,
          vendorState: first.state,
        },
        ...first.calls.map(({ id }) => toolResult(id, 'The steps')),
      ],
    },
    fields,
  );
  return { first, body };
}

export const thoughtfulAnswer: WireAnswer = {
  thinking: 'A skill fits.',
  text: ['Let me see.'],
  calls: [{ id: 'callAAAA1', name: 'activate_skill', arguments: ['{"skill_name":', '"minutes"}'] }],
};
