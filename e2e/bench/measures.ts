import { setTimeout as wait } from 'node:timers/promises';
import { type ChatSample, type Load, runChats, type Target } from './chat-load.ts';
import {
  type LongFigures,
  longConversation,
  measureLongConversation,
} from './long-conversation.ts';
import { getCpuMs, getResidentMb } from './process-cost.ts';
import { minPrefixShare } from './request-shares.ts';
import type { Stand, TargetName } from './stand.ts';
import { median, quantile, sum } from './statistics.ts';
import { warmStartMs } from './warm-start.ts';

/** One figure of the bench. Figures are taken in this order, on one stand. */
export interface Measure {
  name: string;
  unit: string;
  partsUnit?: string;
  /** The target: an upper or a lower bound. */
  target?: { atMost: number } | { atLeast: number };
  take: (stand: Stand) => Promise<Figure>;
}

export interface Figure {
  value: number;
  /** The same figure for the bare relay. */
  relay?: number;
  /** Ratio to the bare relay. */
  relayRatio?: number;
  /** The measurements behind the figure. */
  parts?: Partial<Record<TargetName, number>>;
}

const rounds = 5;
/** 50 people press Enter at the same instant. */
const burst: Load = { chats: 50, tokens: 50 };
/** 50 people in conversation: each answer takes 400 ms; the next question follows immediately. */
const underWay: Load = { chats: 50, inARow: 3, spreadMs: 400, tokens: 20, everyMs: 20 };
const flood: Load = { chats: 20, tokens: 500 };

export const measures: Measure[] = [
  {
    name: 'memory, idle after start',
    unit: 'MB',
    target: { atMost: 120 },
    take: settledMemory,
  },
  {
    name: 'first token p95, 50 chats in one instant',
    unit: '× direct',
    partsUnit: 'ms',
    target: { atMost: 2 },
    take: (stand) => firstToken(stand, burst, 4),
  },
  {
    name: 'the same vs. the bare relay',
    unit: '× relay',
    target: { atMost: 1.25 },
    take: async (stand) => relativeToRelay(await firstToken(stand, burst, 4)),
  },
  {
    name: 'first token p95, 50 chats under way',
    unit: '× direct',
    partsUnit: 'ms',
    target: { atMost: 2 },
    take: (stand) => firstToken(stand, underWay, 1),
  },
  {
    name: 'the same vs. the bare relay',
    unit: '× relay',
    target: { atMost: 1.25 },
    take: async (stand) => relativeToRelay(await firstToken(stand, underWay, 1)),
  },
  {
    name: 'token latency from the provider p95, 50 chats under way',
    unit: '× direct',
    partsUnit: 'ms',
    take: async (stand) => {
      const samples = await stand.rounds(rounds, (target) => runChats(target, underWay));
      return ratioOfRounds(samples, ({ chats }) =>
        quantile(
          chats.flatMap((chat) => chat.tokenDelaysMs),
          0.95,
        ),
      );
    },
  },
  {
    name: 'first token p95, 50 in one instant, provider takes 300 ms',
    unit: '× direct',
    partsUnit: 'ms',
    target: { atMost: 1.1 },
    take: (stand) => firstToken(stand, { ...burst, waitMs: 300 }, 2),
  },
  {
    name: 'tokens per second, 20 chats × 500 tokens',
    unit: '× direct',
    partsUnit: 'tokens/s',
    target: { atLeast: 0.7 },
    take: tokensPerSecond,
  },
  {
    name: 'the same vs. the bare relay',
    unit: '× relay',
    target: { atLeast: 0.9 },
    take: async (stand) => relativeToRelay(await tokensPerSecond(stand)),
  },
  {
    name: 'processor time per chat of 50 tokens, 50 in one instant',
    unit: '× relay',
    partsUnit: 'ms',
    target: { atMost: 4 },
    take: processorTime,
  },
  {
    name: 'memory, idle after this load',
    unit: 'MB',
    take: settledMemory,
  },
  {
    name: `preparing a turn after ${longConversation} messages, median`,
    unit: 'ms',
    target: { atMost: 50 },
    take: longFigure(({ preparedMs }) => preparedMs),
  },
  {
    name: `opening a conversation of ${longConversation} messages, median`,
    unit: 'ms',
    target: { atMost: 300 },
    take: longFigure(({ openedMs }) => openedMs),
  },
  {
    name: 'minimum prefix share between consecutive requests',
    unit: '%',
    target: { atLeast: 95 },
    take: async () => ({ value: 100 * (await minPrefixShare()) }),
  },
  {
    name: 'warm `npm start` until ready',
    unit: 'ms',
    target: { atMost: 1000 },
    take: warmStart,
  },
];

/** Measured once per load: one sample serves two figures. */
const figuresByLoad = new Map<Load, Promise<Figure>>();

function once(load: Load, take: () => Promise<Figure>): Promise<Figure> {
  const figure = figuresByLoad.get(load) ?? take();
  figuresByLoad.set(load, figure);
  return figure;
}

function firstToken(stand: Stand, load: Load, times: number): Promise<Figure> {
  return once(load, async () => {
    const samples = await stand.rounds(rounds, (target) => repeated(target, load, times));
    return ratioOfRounds(samples, (chats) =>
      quantile(
        chats.map((chat) => chat.firstTokenMs),
        0.95,
      ),
    );
  });
}

function tokensPerSecond(stand: Stand): Promise<Figure> {
  return once(flood, async () => {
    const samples = await stand.rounds(rounds, (target) => runChats(target, flood));
    return ratioOfRounds(samples, ({ elapsedMs }) => 10_000_000 / elapsedMs);
  });
}

function relativeToRelay({ relayRatio: value = Number.NaN }: Figure): Figure {
  return { value };
}

let long: Promise<LongFigures> | undefined;

/** One long conversation serves both figures. */
function longFigure(pick: (figures: LongFigures) => number) {
  return async ({ knowhow }: Stand): Promise<Figure> => {
    long ??= measureLongConversation(knowhow);
    return { value: pick(await long) };
  };
}

async function repeated(target: Target, load: Load, times: number): Promise<ChatSample[]> {
  const chats: ChatSample[] = [];
  for (let time = 0; time < times; time++) {
    chats.push(...(await runChats(target, load)).chats);
  }
  return chats;
}

/** The median over the rounds of the ratio to direct. */
function ratioOfRounds<Sample>(
  samples: Record<TargetName, Sample[]>,
  figureOf: (sample: Sample) => number,
): Figure {
  const direct = samples.direct.map(figureOf);
  const relay = samples.relay.map(figureOf);
  const knowhow = samples.knowhow.map(figureOf);
  const toDirect = (values: number[]) =>
    median(values.map((value, round) => value / (direct[round] ?? Number.NaN)));
  return {
    value: toDirect(knowhow),
    relay: toDirect(relay),
    relayRatio: median(knowhow.map((value, round) => value / (relay[round] ?? Number.NaN))),
    parts: { direct: median(direct), relay: median(relay), knowhow: median(knowhow) },
  };
}

/** Sums over the rounds instead of taking the median: the kernel counts in steps of 10 ms. */
async function processorTime(stand: Stand): Promise<Figure> {
  const times = 4;
  const samples = await stand.rounds(rounds, async (target) => {
    if (target.name === 'direct') {
      return 0;
    }
    const pid = stand.getPid(target.name);
    const before = await getCpuMs(pid);
    await repeated(target, burst, times);
    // Includes storing the rest of these chats.
    await wait(200);
    return (await getCpuMs(pid)) - before;
  });
  const chats = rounds * times * burst.chats;
  const relay = sum(samples.relay) / chats;
  const knowhow = sum(samples.knowhow) / chats;
  return { value: knowhow / relay, parts: { relay, knowhow } };
}

async function settledMemory({ knowhow }: Stand): Promise<Figure> {
  await wait(3000);
  return { value: await getResidentMb(knowhow.pid) };
}

async function warmStart({ knowhow }: Stand): Promise<Figure> {
  await knowhow.end('SIGTERM');
  await warmStartMs(knowhow);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    times.push(await warmStartMs(knowhow));
  }
  return { value: median(times) };
}
