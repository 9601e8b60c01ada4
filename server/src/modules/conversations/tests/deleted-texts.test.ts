import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attachmentSchema } from '@knowhow/shared/chat/attachments';
import { expect, onTestFinished, test } from 'vitest';
import { signInNew } from '../../../testing/rights-chat.ts';
import { says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { onPostgres } from '../../../testing/test-database.ts';

const markers = ['marker-in-the-question', 'marker-in-the-answer', 'marker-in-the-file'];

/** The markers that the database files contain. */
async function markersIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('knowhow.sqlite'));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')));
  return markers.filter((marker) => texts.some((text) => text.includes(marker)));
}

test.skipIf(onPostgres())(
  'deletes a user’s texts from the database file, not only from its tables',
  async () => {
    const model = scriptedModel(says('An answer with marker-in-the-answer.'));
    const server = await startTestServer({ model: model.ask });
    onTestFinished(server.close);
    const admin = await signInAdmin(server);
    const { id, visitor: ann } = await signInNew(server, admin, {
      username: 'ann',
      groups: ['authenticated'],
    });
    const upload = await ann('/api/files?name=plan.txt', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: `${'A long plan. '.repeat(2000)}marker-in-the-file`,
    });
    const { id: file } = attachmentSchema.parse(await upload.json());
    const turn = await takeTurn(ann, { message: 'marker-in-the-question', attachments: [file] });
    expect(turn.status).toBe(200);
    const data = join(server.folder, 'data');
    expect(await markersIn(data)).toEqual(markers);
    const removed = await admin(`/api/admin/users/${id}?conversations=delete`, {
      method: 'DELETE',
    });
    expect(removed.status).toBe(204);
    await server.stop();
    expect(await markersIn(data)).toEqual([]);
  },
);
