import { knowhowTarget, type Load, runChats } from './chat-load.ts';
import { startNodeStand } from './node-stand.ts';
import { anonymousCookie, startHelper } from './stand.ts';
import { median, quantile } from './statistics.ts';

/** As fast as the servers can, with as many users. */
const flood: Load = { chats: 50, inARow: 6, tokens: 20 };
/** In conversation: each answer takes 400 ms; the next question follows immediately. */
const underWay: Load = { chats: 50, inARow: 3, spreadMs: 400, tokens: 20, everyMs: 20 };
const rounds = 3;

/** Measures one, two and three servers on one PostgreSQL behind HAProxy, all on this machine. */
export async function measureNodes(): Promise<void> {
  console.log(
    'nodes  chats per second   first token ms: median   p95   (50 people in conversation)',
  );
  for (const count of [1, 2, 3]) {
    const { perSecond, first } = await measure(count);
    const cells = [perSecond, median(first), quantile(first, 0.95)].map((value) =>
      value.toFixed(0),
    );
    console.log([String(count), ...cells].map((cell) => cell.padStart(5)).join('          '));
  }
}

async function measure(count: number): Promise<{ perSecond: number; first: number[] }> {
  const provider = await startHelper('./stamping-provider.js');
  const stand = await startNodeStand({ count, providerUrl: provider.url });
  try {
    const visit = () => anonymousCookie(stand.url);
    const cookies = await Promise.all(Array.from({ length: flood.chats }, visit));
    const target = knowhowTarget([stand.url], cookies);
    await runChats(target, flood);
    const perSecond: number[] = [];
    const first: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { chats, elapsedMs } = await runChats(target, flood);
      perSecond.push((chats.length * 1000) / elapsedMs);
      const spread = await runChats(target, underWay);
      first.push(...spread.chats.map(({ firstTokenMs }) => firstTokenMs));
    }
    return { perSecond: median(perSecond), first };
  } finally {
    await stand.stop();
    provider.child.disconnect();
  }
}
