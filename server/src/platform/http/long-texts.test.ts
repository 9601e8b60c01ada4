import { expect, test } from 'vitest';
import { scriptedChat } from '../../testing/scripted-chat.ts';
import { says } from '../../testing/scripted-model.ts';
import { signInAdmin } from '../../testing/sign-in-admin.ts';
import { skillFile } from '../../testing/skill-folder.ts';
import { takeTurn } from '../../testing/take-turn.ts';

const special = 'Do it. <|endoftext|> <|im_start|> <|fim_prefix|>';
const chat = scriptedChat({
  'skills/echo/SKILL.md': skillFile('echo', 'Says it again.', 'Say: $ARGUMENTS'),
  'skills/special/SKILL.md': skillFile('special', 'About <|endoftext|>.', special),
  'skills/often/SKILL.md': skillFile('often', 'Repeats it.', '$ARGUMENTS\n'.repeat(3000)),
  'skills/long/SKILL.md': skillFile('long', 'Has a long body.', '€'.repeat(1_000_000)),
});
const longest = 100_000;

/** The longest time another user waits for a response meanwhile, in milliseconds. */
async function longestWait(work: Promise<unknown>): Promise<number> {
  let longestSoFar = 0;
  let working = true;
  const end = () => {
    working = false;
  };
  work.then(end, end);
  while (working) {
    const asked = performance.now();
    await fetch(`${chat.server.url}/api/health`);
    longestSoFar = Math.max(longestSoFar, performance.now() - asked);
  }
  await work;
  return longestSoFar;
}

const units = [
  '€',
  '😀',
  'a',
  ' a',
  '\u0301',
  '< ',
  '/echo ',
  '知',
  '$1 ',
  '<|endoftext|>',
  '"a ',
  '\n',
];

// A busy machine may pause a test that long; real blocking happens each time.
const busy = { retry: 2 };

test.each(units)('a maximum-length message of %j does not block others', busy, async (unit) => {
  await chat.start([says('One.')]);
  await takeTurn(chat.visitor, { message: 'Hi', skills: ['echo'] });
  const message = `/echo x<${unit.repeat(longest)}`.slice(0, longest - 1);
  const turn = takeTurn(chat.visitor, { message, skills: ['echo'] });
  expect(await longestWait(turn)).toBeLessThan(300);
  expect((await turn).events.at(-1)).toEqual({ type: 'done', finishReason: 'stop' });
});

test("a skill with a tokenizer's special tokens works, and so does its page", async () => {
  await chat.start([says('Fine.')]);
  const { text } = await takeTurn(chat.visitor, { message: 'Go', skills: ['special'] });
  expect(text).toBe('Fine.');
  expect(chat.sent(0)).toContain(special);
  const admin = await signInAdmin(chat.server);
  const page = await admin('/api/admin/skills/special');
  expect(page.status).toBe(200);
});

test(
  'a skill that would repeat a long message too often is rejected, and the next turn works',
  busy,
  async () => {
    await chat.start([says('Fine.')]);
    const message = 'a €'.repeat(30_000);
    const turn = takeTurn(chat.visitor, { message, skills: ['often'] });
    expect(await longestWait(turn)).toBeLessThan(300);
    const { status, body, conversationId } = await turn;
    expect([status, JSON.parse(body)]).toMatchObject([
      413,
      { code: 'too-large', detail: expect.stringContaining('Skill "often" repeats your message') },
    ]);
    const short = await takeTurn(chat.visitor, {
      message: 'Hi',
      skills: ['often'],
      conversationId,
    });
    expect(short.text).toBe('Fine.');
  },
);

test(
  'a skill with a very long body is activated, and shown, without blocking others',
  busy,
  async () => {
    await chat.start([says('Fine.')]);
    expect(
      await longestWait(takeTurn(chat.visitor, { message: 'Go', skills: ['long'] })),
    ).toBeLessThan(300);
    const admin = await signInAdmin(chat.server);
    expect(await longestWait(admin('/api/admin/skills/long'))).toBeLessThan(300);
  },
);
