import { expect } from '@playwright/test';
import { knowhowTest as test } from '../knowhow-test.ts';
import { hang, say } from '../provider-script.ts';

test('after a crash during an answer the conversation is there, the answer is marked, and retry works', async ({
  chat,
  knowhow,
  page,
  provider,
}) => {
  const slowly = say(' and so on'.repeat(40), { everyMs: 50 });
  provider.plays([say('These words were stored'), slowly, hang], say('Now the whole answer.'));
  await chat.open();
  await chat.send('Tell me everything.');
  await expect(page).toHaveURL(/\/c\//);
  const stored = async () =>
    (await page.request.get(page.url().replace('/c/', '/api/conversations/'))).text();
  await expect.poll(stored).toContain('These words were stored');
  await knowhow.end('SIGKILL');
  await knowhow.run();
  await page.reload();

  await expect(chat.log.getByText('Tell me everything.')).toBeVisible();
  await expect(chat.log.getByText(/These words were stored/)).toBeVisible();
  await expect(chat.log.getByText(/interrupted/)).toBeVisible();
  await chat.waitUntilReady();
  await chat.log.getByRole('button', { name: 'Retry', exact: true }).last().click();
  await expect(chat.log.getByText('Now the whole answer.')).toBeVisible();
});
