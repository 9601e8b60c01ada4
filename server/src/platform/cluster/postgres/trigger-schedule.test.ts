import { triggerScheduleApi, triggerTestsApi } from '@knowhow/shared/skills/trigger-tests';
import { afterEach, expect, test, vi } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { createNodes } from '../../../testing/start-nodes.ts';
import { waitFor } from '../../../testing/wait-for.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Moves the clock to a few seconds before the hourly run, from where it continues. */
function moveBeforeRun(): void {
  const now = new Date();
  now.setHours(now.getHours() + 1, 19, 26, 0);
  vi.useFakeTimers({ toFake: ['Date'], now, shouldAdvanceTime: true });
}

test('two nodes run a scheduled round once, and both show it', async () => {
  const nodes = await createNodes({
    'config/skills.json': { settings: { triggerTests: { enabled: true, models: ['scripted'] } } },
    'skills/meeting-notes/evals/trigger-evals.json': [{ query: 'Sort.', should_trigger: true }],
  });
  const model = scriptedModel(says('No skill needed.'));
  moveBeforeRun();
  const servers = [
    await nodes.start({ model: model.ask }),
    await nodes.start({ model: model.ask }),
  ];
  const admins = await Promise.all(servers.map(signInAdmin));
  const rounds = () =>
    Promise.all(
      admins.map((admin) =>
        parseAnswer(triggerScheduleApi.state.response, admin('/api/admin/trigger-schedule')),
      ),
    );
  await waitFor(async () => (await rounds()).every(({ round }) => round?.endedAt !== undefined));
  // Longer than the clocks of the nodes differ.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await rounds()).toMatchObject([{ round: { tested: 1 } }, { round: { tested: 1 } }]);
  expect(model.requests).toHaveLength(1);
  for (const admin of admins) {
    const runs = await parseAnswer(
      triggerTestsApi.runs.response,
      admin('/api/admin/skills/meeting-notes/trigger-tests'),
    );
    expect(runs.items).toMatchObject([{ isScheduled: true, version: 1 }]);
  }
});
