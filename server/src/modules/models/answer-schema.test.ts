import { describe, expect, it } from 'vitest';
import { gather, greeting, neverAborted, openWireModel, wires } from '../../testing/ask-wire.ts';
import { scriptedHttp } from '../../testing/scripted-http.ts';
import type { ModelRequest } from './model.ts';

const server = scriptedHttp();

const schema = {
  type: 'object' as const,
  properties: { names: { type: 'array', items: { type: 'string' } } },
  required: ['names'],
  additionalProperties: false,
};
const asking: ModelRequest = { ...greeting, answerSchema: { name: 'chosen', schema } };

/** Documented request field for the answer schema, by vendor. */
const expectedFields: Record<string, object> = {
  openai: {
    response_format: { type: 'json_schema', json_schema: { name: 'chosen', schema, strict: true } },
  },
  mistral: {
    response_format: { type: 'json_schema', json_schema: { name: 'chosen', schema, strict: true } },
  },
  'openai-responses': {
    text: { format: { type: 'json_schema', name: 'chosen', schema, strict: true } },
  },
  anthropic: { output_config: { format: { type: 'json_schema', schema } } },
  google: {
    generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
  },
};

describe.each(wires)('the answer schema of $provider', (wire) => {
  const answer = { chunks: wire.answer({ text: ['{"names":[]}'] }) };
  const refusal = { status: 400, chunks: [wire.errorBody('Unknown field.')] };
  const place = expectedFields[wire.provider] ?? {};
  const isIn = (body: unknown) => Object.keys(place).every((key) => key in Object(body));

  it('is sent in the documented field, only with requests that have one', async () => {
    server.reply(answer, answer);
    const ask = openWireModel(wire, server.origin, { thinking: { enabled: true, effort: 'low' } });
    await gather(ask(asking, neverAborted));
    await gather(ask(greeting, neverAborted));
    expect(server.requests[0]?.body).toMatchObject(place);
    expect(JSON.stringify(server.requests[1]?.body)).not.toContain('names');
  });

  it('is omitted immediately and later on if the provider rejects it', async () => {
    server.reply(refusal, answer, answer);
    const ask = openWireModel(wire, server.origin);
    for (const _ of [1, 2]) {
      expect(await gather(ask(asking, neverAborted))).toMatchObject({
        text: '{"names":[]}',
        error: undefined,
      });
    }
    const bodies = server.requests.map(({ body }) => JSON.stringify(body).includes('"names"'));
    expect(bodies).toEqual([true, false, false]);
    expect(isIn(server.requests[0]?.body)).toBe(true);
  });

  it('is sent again after a request that also fails without it', async () => {
    server.reply(refusal, refusal, answer);
    const ask = openWireModel(wire, server.origin);
    const failed = await gather(ask(asking, neverAborted));
    expect(failed.error).toMatchObject({ code: 'model-failed' });
    await gather(ask(asking, neverAborted));
    expect(server.requests[2]?.body).toMatchObject(place);
  });
});
