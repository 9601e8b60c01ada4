import { join } from 'node:path';
import { appsApi } from '@knowhow/shared/config/apps';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../platform/lib/log.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { writeFiles } from '../../../testing/write-files.ts';

test('the log names a configuration issue once, whatever else changes', async () => {
  const lines: string[] = [];
  const server = await startTestServer({
    files: { 'apps/broken.json': '{' },
    log: createLog('warn', { write: (line) => void lines.push(JSON.parse(line).msg) }),
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const apps = async () => (await parseAnswer(appsApi.list.response, admin('/api/apps'))).items;
  await writeFiles(join(server.folder, 'contents'), {
    'apps/late.json': JSON.stringify({ id: 'late', name: 'Late' }),
    'apps/worse.json': '[',
  });
  await waitFor(async () => (await apps()).some(({ id }) => id === 'late'));
  await waitFor(() => lines.some((line) => line.startsWith('contents/apps/worse.json: ')));
  const ofBroken = lines.filter((line) => line.startsWith('contents/apps/broken.json: '));
  expect(ofBroken).toEqual([expect.stringContaining('Not valid JSON')]);
});
