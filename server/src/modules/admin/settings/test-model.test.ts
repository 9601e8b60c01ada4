import { modelConfigSchema } from '@knowhow/shared/config/models';
import { expect, test } from 'vitest';
import { says, scriptedModel, untilAborted } from '../../../testing/scripted-model.ts';
import { testModel } from './test-model.ts';

const config = modelConfigSchema.parse({ id: 'm', modelId: 'm', name: 'Mo', provider: 'local' });
const model = { config, key: undefined, needs: undefined };

test('times out on a silent model', async () => {
  const { ask } = scriptedModel([untilAborted]);
  expect(await testModel(model, () => ask, 20)).toMatchObject({
    works: false,
    message: expect.stringMatching(/"Mo" took longer than 0.02 seconds\. Check/),
  });
});

test('reads only the beginning of an endless answer', async () => {
  const endless = scriptedModel([
    ...says('word '.repeat(100)).slice(0, 1),
    () => Promise.reject(new Error('read on')),
  ]);
  const trial = await testModel(model, () => endless.ask);
  expect(trial).toMatchObject({ works: true });
  expect(trial.answer?.length).toBe(200);
});
