import { expect } from '@playwright/test';
import { knowhowTest as test } from '../knowhow-test.ts';
import { activate, call, read, say } from '../provider-script.ts';

test('the model activates a skill, reads one of its files and answers, and the card shows it', async ({
  chat,
  provider,
}) => {
  provider.plays(
    [say('Let me look.'), activate('tea-brewing')],
    read('tea-brewing', 'references/temperatures.md'),
    say('Sencha takes water of **70 °C**.'),
  );
  await chat.open();
  await chat.send('How do I make sencha?');

  await expect(chat.log.getByText('Sencha takes water of 70 °C.')).toBeVisible();
  const card = chat.card('tea-brewing');
  await card.click();
  await expect(chat.log.getByText(/Brew green, black and herbal tea/)).toBeVisible();
  await expect(chat.log.getByText('references/temperatures.md').first()).toBeVisible();

  const [first, second, third] = provider.requests;
  expect(first?.tools).toEqual(expect.arrayContaining(['activate_skill', 'read_skill_resource']));
  expect(first?.getText('system')).toContain('<name>tea-brewing</name>');
  expect(first?.getText('system')).not.toContain('measure 2 g of leaves');
  expect(second?.getText('tool')).toContain('measure 2 g of leaves');
  expect(third?.getText('tool')).toContain('| sencha | 70 °C | 1 |');
});

test('two tool calls in one answer both get results', async ({ chat, provider }) => {
  provider.plays(
    activate('tea-brewing'),
    call(
      {
        name: 'read_skill_resource',
        input: { skill_name: 'tea-brewing', file_path: 'references/temperatures.md' },
      },
      { name: 'activate_skill', input: { skill_name: 'tea-brewing' } },
    ),
    say('Both done.'),
  );
  await chat.open();
  await chat.send('Assam, please.');

  await expect(chat.log.getByText('Both done.')).toBeVisible();
  await expect(chat.card('tea-brewing')).toHaveCount(1);
  const results = provider.lastRequest().getText('tool');
  expect(results).toContain('| assam | 95 °C | 4 |');
  expect(results).toContain('already active');
});

test('a skill stays active in later turns without being loaded again', async ({
  chat,
  provider,
}) => {
  provider.plays(activate('tea-brewing'), say('Which tea?'), say('Eight minutes.'));
  await chat.open();
  await chat.send('I want to make tea.');
  await expect(chat.log.getByText('Which tea?')).toBeVisible();
  await chat.waitUntilSettled();
  await chat.send('Camomile.');
  await expect(chat.log.getByText('Eight minutes.')).toBeVisible();

  expect(provider.requests).toHaveLength(3);
  expect(provider.lastRequest().raw.split('measure 2 g of leaves')).toHaveLength(2);
  await expect(chat.card('tea-brewing')).toHaveCount(1);
});
