import { expect, onTestFinished, test, vi } from 'vitest';
import { startTestServer } from '../../testing/start-test-server.ts';
import { takeTurn } from '../../testing/take-turn.ts';

test('a turn counts once as a request and once as a turn, and the limiter logs no warnings', async () => {
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => complaints.mockRestore());
  const server = await startTestServer({
    files: { 'config/platform.json': { rateLimit: { requests: 5, turns: 2 } } },
  });
  onTestFinished(server.close);
  const visitor = server.visitor();
  const statuses = [];
  for (let turn = 0; turn < 3; turn += 1) {
    statuses.push((await takeTurn(visitor, { message: 'Hello' })).status);
  }
  expect(statuses).toEqual([200, 200, 429]);
  const apps = async () => (await visitor('/api/apps')).status;
  expect([await apps(), await apps(), await apps()]).toEqual([200, 200, 429]);
  expect(complaints).not.toHaveBeenCalled();
});
