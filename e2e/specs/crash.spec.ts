import { expect } from '@playwright/test';
import { knowhowTest as test } from '../knowhow-test.ts';
import { hang, say } from '../provider-script.ts';

test('after a crash in mid-answer the conversation is there, the answer marked, and retry works', async ({
  chat,
  provider,
  knowhow,
}) => {
  provider.plays([say('These words were stored.'), hang], say('Now the whole answer.'));
  await chat.open();
  await chat.send('Tell me everything.');
  await expect(chat.log.getByText('These words were stored.')).toBeVisible();
  await knowhow.end('SIGKILL');
  await knowhow.run();
  await chat.page.reload();

  await expect(chat.log.getByText('Tell me everything.')).toBeVisible();
  await expect(chat.log.getByText(/interrupted/i)).toBeVisible();
  await chat.log.getByRole('button', { name: 'Retry' }).last().click();
  await expect(chat.log.getByText('Now the whole answer.')).toBeVisible();
});
