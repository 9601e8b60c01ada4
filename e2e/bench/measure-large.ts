import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { knowhowTarget, runChats } from './chat-load.ts';
import { type NodeStand, startNodeStand } from './node-stand.ts';
import type { OwnPostgres } from './own-postgres.ts';
import { anonymousCookie, startHelper } from './stand.ts';
import { median, quantile } from './statistics.ts';

const conversations = 100_000;
const owners = 2000;
/** The measured user's data: this many conversations of 20 messages, and one of 2,000. */
const own = 1000;
const times = 60;

/**
 * Measures how long a heavy user waits to list, search, open and ask, in a database full of others' messages.
 * Everything runs on this machine.
 *
 * @param messages in all conversations together
 */
export async function measureLarge(messages: number): Promise<void> {
  const provider = await startHelper('./stamping-provider.js');
  const stand = await startNodeStand({ count: 1, providerUrl: provider.url });
  try {
    const cookie = await anonymousCookie(stand.url);
    await runChats(knowhowTarget([stand.url], [cookie]), { chats: 1, tokens: 50 });
    await fill(stand, messages);
    await untilIndexed(stand, cookie);
    const list = (await (await get(stand, cookie, '/api/conversations')).json()) as {
      items: { id: string }[];
    };
    const ids = list.items.map(({ id }) => id);
    const steps: Record<string, (time: number) => Promise<unknown>> = {
      'list the newest': () => get(stand, cookie, '/api/conversations'),
      'search two words': (time) =>
        get(stand, cookie, `/api/conversations?query=heron+n${100 + time}`),
      'open one of 20 messages': (time) =>
        get(stand, cookie, `/api/conversations/${ids[time % ids.length]}`),
      'ask, until the first word': async () => undefined,
    };
    console.log(`${messages} messages in ${conversations} conversations: median and p95 in ms`);
    for (const [name, step] of Object.entries(steps)) {
      const durations = name.startsWith('ask')
        ? await firstTokens(stand, cookie)
        : await measureTimes(step);
      const [half, most] = [median(durations), quantile(durations, 0.95)].map((ms) =>
        ms.toFixed(1),
      );
      console.log(`  ${name.padEnd(28)} ${half?.padStart(7)} ${most?.padStart(7)}`);
    }
  } finally {
    await stand.stop();
    provider.child.disconnect();
  }
}

async function measureTimes(step: (time: number) => Promise<unknown>): Promise<number[]> {
  const durations: number[] = [];
  for (let time = -5; time < times; time += 1) {
    const started = performance.now();
    await step(Math.abs(time));
    if (time >= 0) {
      durations.push(performance.now() - started);
    }
  }
  return durations;
}

async function firstTokens({ url }: NodeStand, cookie: string): Promise<number[]> {
  const load = { chats: 1, inARow: times, tokens: 5 };
  const { chats } = await runChats(knowhowTarget([url], [cookie]), load);
  return chats.map(({ firstTokenMs }) => firstTokenMs);
}

async function get({ url }: NodeStand, cookie: string, path: string): Promise<Response> {
  const response = await fetch(url + path, { headers: { cookie } });
  const body = await response.arrayBuffer();
  if (!response.ok) {
    throw new Error(`${response.status} ${path}`);
  }
  return new Response(body);
}

/** Skips the search index for other users' data, which is irrelevant to the measured user. */
async function fill({ postgres }: NodeStand, messages: number): Promise<void> {
  const { execute } = postgres;
  const each = Math.round(messages / conversations);
  await execute(
    `create table turn as select * from messages;
    create table one as select * from conversations limit 1`,
  );
  // Without triggers and foreign-key checks.
  const executeWithoutTriggers = (statement: string) =>
    execute(`set session_replication_role = replica; ${statement}`);
  const others = { id: 'gen_random_uuid()::text', owner: `'other:' || (n % ${owners})` };
  await executeWithoutTriggers(
    await copyStatement(
      postgres,
      'conversations',
      others,
      `one t, generate_series(1, ${conversations}) n`,
    ),
  );
  await executeWithoutTriggers(await messagesStatement(postgres, each, "owner like 'other:%'"));
  const mine = { id: 'gen_random_uuid()::text', title: "'Herons ' || n" };
  await execute(
    await copyStatement(postgres, 'conversations', mine, `one t, generate_series(1, ${own}) n`),
  );
  await execute(await messagesStatement(postgres, 20, "title like 'Herons %'"));
  await execute('vacuum analyze');
}

/** A statement that copies a row `t` repeatedly, with other values in some columns. */
async function copyStatement(
  { execute }: OwnPostgres,
  table: string,
  changed: Record<string, string>,
  from: string,
): Promise<string> {
  const names = await execute(
    `select attname from pg_attribute where attrelid = '${table}'::regclass and attnum > 0`,
  );
  const columns = names.trim().split('\n');
  const values = columns.map((column) => changed[column] ?? `t.${column}`);
  return `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from ${from}`;
}

/** A statement that adds messages to each matching conversation. */
function messagesStatement(postgres: OwnPostgres, each: number, where: string): Promise<string> {
  const changed = {
    id: 'gen_random_uuid()::text',
    conversation_id: 'c.id',
    position: 'p',
    content: `'A heron waits in the reeds, number n' || (c.n % 977) || '. ' || repeat(md5(p::text), 6)`,
  };
  const numbered = `select id, row_number() over () as n from conversations where ${where}`;
  const from = `(${numbered}) c, generate_series(0, ${each - 1}) p, turn t where t.position = p % 2`;
  return copyStatement(postgres, 'messages', changed, from);
}

/** Waits until the search index has caught up. */
async function untilIndexed(stand: NodeStand, cookie: string): Promise<void> {
  for (let left = 600; left > 0; left -= 1) {
    const response = await fetch(`${stand.url}/api/conversations?query=heron+${randomUUID()}`, {
      headers: { cookie },
    }).catch(() => undefined);
    if (response?.ok) {
      await response.arrayBuffer();
      return;
    }
    await wait(1000);
  }
}
