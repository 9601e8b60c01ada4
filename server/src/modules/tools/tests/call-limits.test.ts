import { expect, test } from 'vitest';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const chat = scriptedChat({
  'skills/brief/SKILL.md': skillFile('brief', 'Makes it short.', 'Be brief.'),
  'skills/brief/references/a.md': 'The first file.',
});
const activate = (skill_name: string) => calls(['activate_skill', { skill_name }]);

test('the third identical call is answered without running it', async () => {
  const again = calls([
    'read_skill_resource',
    { skill_name: 'brief', file_path: 'references/a.md' },
  ]);
  await chat.start([activate('brief'), again, again, again, says('Done.')]);
  const { events } = await takeTurn(chat.visitor, { message: 'A' });
  const results = chat.model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
  expect(results.slice(1).map(({ content }) => content)).toEqual([
    'The first file.',
    'The first file.',
    expect.stringMatching(/^You have this already: this very call was answered 2 times above\./),
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'done', finishReason: 'stop' });
});

test('of a hundred calls in one answer 32 run, and the answer continues', async () => {
  const many = Array.from({ length: 100 }, (_, at): [string, unknown] => [
    'read_skill_resource',
    { skill_name: 'brief', file_path: 'references/a.md', offset: at },
  ]);
  await chat.start([activate('brief'), calls(...many), says('Done.')]);
  const { text } = await takeTurn(chat.visitor, { message: 'A' });
  const results = chat.model.requests[2]?.messages.filter(({ role }) => role === 'tool') ?? [];
  expect(results).toHaveLength(101);
  const refused = results.filter(({ content }) =>
    content.startsWith('No more tools can be called'),
  );
  expect(refused).toHaveLength(69);
  expect(text).toBe('Done.');
});
