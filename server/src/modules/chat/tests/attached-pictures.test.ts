import { attachmentSchema } from '@knowhow/shared/chat/attachments';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { camera, jpeg, png, webp } from '../../../testing/documents/pictures.ts';
import { says, scriptedModel } from '../../../testing/scripted-model.ts';
import {
  modelWith,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const model = scriptedModel(says('Seen.'));
let server: TestServer;
let visitor: Visitor;
beforeAll(async () => {
  const blind = { id: 'blind', modelId: 'b', name: 'Blind', provider: 'local' };
  const files = { ...modelWith({ supportsVision: true }), 'models/blind.json': blind };
  server = await startTestServer({ model: model.ask, files });
  visitor = server.visitor();
  await visitor('/api/auth/me');
});
afterAll(() => server.close());

const send = (name: string, body: Uint8Array) =>
  visitor(`/api/files?name=${encodeURIComponent(name)}`, { method: 'POST', body });

async function upload(name: string, bytes: Uint8Array) {
  return attachmentSchema.parse(await (await send(name, bytes)).json());
}

const lastSaid = () => model.requests.at(-1)?.messages.at(-1);

test('an image goes to a model with vision; another is told that it was omitted', async () => {
  const picture = await upload('heron', png(1500, 1000));
  expect(picture).toMatchObject({ name: 'heron.png', type: 'image/png', kind: 'picture' });
  expect(picture.tokens).toBe(1600);
  const { conversationId } = await takeTurn(visitor, {
    message: 'What is it?',
    attachments: [picture.id],
  });
  const seen = lastSaid();
  expect(seen).toMatchObject({ role: 'user', images: [{ mediaType: 'image/png' }] });
  expect(seen?.content).toContain(
    '<attachment name="heron.png" type="picture">The picture is part',
  );
  await takeTurn(visitor, { message: 'And now?', conversationId });
  expect(model.requests.at(-1)?.messages[0]).toEqual(seen);
  await takeTurn(visitor, { message: 'And you?', conversationId, model: 'blind' });
  const [first] = model.requests.at(-1)?.messages ?? [];
  expect(first).not.toHaveProperty('images');
  expect(first?.content).toContain('This picture was omitted: this model does not support images.');
});

describe('strips metadata from an image', () => {
  test.each([
    ['a.png', png(30, 20), 'pixels'],
    ['a.jpg', jpeg(30, 20), '\x11\xff\0\x22\xff\xd0\x33\xff\xda\0\x03\x04\x44\xff\xd9'],
    ['a.webp', webp(30, 20), 'VP8 '],
  ])('%s', async (name, bytes, wanted) => {
    expect(bytes.includes(camera)).toBe(true);
    const { id } = await upload(name, bytes);
    const response = await visitor(`/api/files/${id}`);
    expect(response.headers.get('content-type')).toMatch(/^image\//);
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    const kept = Buffer.from(await response.arrayBuffer());
    expect(kept.includes(camera)).toBe(false);
    expect(kept.includes(Buffer.from(wanted, 'latin1'))).toBe(true);
  });

  test("except a photograph's orientation", async () => {
    const { id } = await upload('a.jpg', jpeg(30, 20));
    const kept = Buffer.from(await (await visitor(`/api/files/${id}`)).arrayBuffer());
    const orientation = Buffer.from('0112000300000001000600', 'hex');
    expect(kept.includes(orientation)).toBe(true);
  });
});

/** Its first header is small; without that, the stored image starts with 30,000 × 30,000. */
const large = png(30_000, 30_000);
const note = Buffer.concat([
  Buffer.from('\0\0\0\x08tEXt\0\0\0\x0a\0\0\0\x0a', 'latin1'),
  Buffer.alloc(4),
]);
const wide = jpeg(30_000, 30_000);
const twoSizes = Buffer.concat([
  wide.subarray(0, wide.indexOf('\xff\xda', 0, 'latin1')),
  jpeg(30, 20).subarray(2),
]);
const hiddenSize = Buffer.concat([large.subarray(0, 8), note, large.subarray(8)]);

test.each([
  ['of 30,000 × 30,000 pixels', png(30_000, 30_000), 413, /too many pixels/],
  ['of more than 4 MiB', png(30, 20, Buffer.alloc(5_000_000)), 413, /4 MiB/],
  ['that is truncated', png(30, 20).subarray(0, 60), 400, /broken/],
  ['without a size', png(0, 20), 400, /broken/],
  ['whose first size is not the real one', hiddenSize, 400, /broken/],
  ['with two sizes', twoSizes, 400, /broken/],
])('rejects an image %s', async (_, bytes, status, reason) => {
  const response = await send('a.png', bytes);
  expect(response.status).toBe(status);
  expect(((await response.json()) as { detail: string }).detail).toMatch(reason);
});

test('rejects an image with too many chunks before decoding it', async () => {
  const after = (head: number, part: Uint8Array, whole: Buffer) =>
    Buffer.concat([whole.subarray(0, head), ...Array(20_000).fill(part), whole.subarray(head)]);
  const emptyChunk = Buffer.concat([Buffer.alloc(4), Buffer.from('IDAT'), Buffer.alloc(4)]);
  for (const [name, bytes] of [
    ['a.png', after(33, emptyChunk, png(30, 20))],
    ['a.jpg', after(2, Buffer.from([0xff]), jpeg(30, 20))],
    ['a.webp', after(12, Buffer.from('ABCD\0\0\0\0'), webp(30, 20))],
  ] as const) {
    expect((await send(name, bytes)).status, name).toBe(400);
  }
});
