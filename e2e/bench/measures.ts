import { setTimeout as wait } from 'node:timers/promises';
import { type Load, type LoadSample, runChats } from './chat-load.ts';
import {
  type LongFigures,
  longConversation,
  measureLongConversation,
} from './long-conversation.ts';
import { getCpuMs, getResidentMb } from './process-cost.ts';
import { minPrefixShare } from './request-shares.ts';
import type { Stand, TargetName } from './stand.ts';
import { type Estimate, estimateMedian, median, quantile, sum } from './statistics.ts';
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
  /** 95 % confidence interval of the value, if it was taken repeatedly. */
  interval?: Interval;
  /** The same figure for the bare relay. */
  relay?: number;
  /** The measurements behind the figure. */
  parts?: Partial<Record<TargetName, number>>;
}

export type Interval = Pick<Estimate, 'low' | 'high'>;

/** Ratios of one load: to the provider without a server in between, and to the bare relay. */
interface Ratios {
  toDirect: Figure;
  toRelay: Figure;
}

/** Enough for a confidence interval that leaves out the lowest and the highest value. */
const rounds = 9;
/** Rounds of a load that takes seconds: the fewest for an interval of 95 %. */
const longRounds = 6;
/** 50 people press Enter at the same instant. */
const burst: Load = { chats: 50, tokens: 50 };
const slowBurst: Load = { ...burst, waitMs: 300 };
/** 50 people in conversation: each answer takes 400 ms; the next question follows immediately. */
const underWay: Load = { chats: 50, inARow: 3, spreadMs: 400, tokens: 20, everyMs: 20 };
const flood: Load = { chats: 20, tokens: 500 };
/** 200 people read their answers while they are written. */
const readers: Load = { chats: 200, spreadMs: 1000, tokens: 100, everyMs: 50 };

export const measures: Measure[] = [
  {
    name: 'memory, idle after start',
    unit: 'MB',
    target: { atMost: 105 },
    take: settledMemory,
  },
  {
    name: 'first token p95, 50 chats in one instant',
    unit: '× direct',
    partsUnit: 'ms',
    take: async (stand) => (await ratiosOf(stand, burst, firstTokenP95)).toDirect,
  },
  {
    name: 'first token p95, 50 chats in one instant, vs. relay',
    unit: '× relay',
    target: { atMost: 1.4 },
    take: async (stand) => (await ratiosOf(stand, burst, firstTokenP95)).toRelay,
  },
  {
    name: 'first token p95, 50 chats under way',
    unit: '× direct',
    partsUnit: 'ms',
    take: async (stand) => (await ratiosOf(stand, underWay, firstTokenP95)).toDirect,
  },
  {
    name: 'first token p95, 50 chats under way, vs. relay',
    unit: '× relay',
    target: { atMost: 1.5 },
    take: async (stand) => (await ratiosOf(stand, underWay, firstTokenP95)).toRelay,
  },
  {
    name: 'token latency p95, 50 chats under way',
    unit: '× direct',
    partsUnit: 'ms',
    take: async (stand) => (await ratiosOf(stand, underWay, tokenDelayP95)).toDirect,
  },
  {
    name: 'token latency p95, 50 chats under way, vs. relay',
    unit: '× relay',
    target: { atMost: 1.5 },
    take: async (stand) => (await ratiosOf(stand, underWay, tokenDelayP95)).toRelay,
  },
  {
    name: 'first token p95, 50 in one instant, provider takes 300 ms',
    unit: '× direct',
    partsUnit: 'ms',
    take: async (stand) => (await ratiosOf(stand, slowBurst, firstTokenP95)).toDirect,
  },
  {
    name: 'first token p95, provider takes 300 ms, vs. relay',
    unit: '× relay',
    target: { atMost: 1.1 },
    take: async (stand) => (await ratiosOf(stand, slowBurst, firstTokenP95)).toRelay,
  },
  {
    name: 'tokens per second, 20 chats × 500 tokens',
    unit: '× direct',
    partsUnit: 'tokens/s',
    take: async (stand) => (await ratiosOf(stand, flood, tokensPerSecond)).toDirect,
  },
  {
    name: 'tokens per second, 20 chats × 500 tokens, vs. relay',
    unit: '× relay',
    target: { atLeast: 0.9 },
    take: async (stand) => (await ratiosOf(stand, flood, tokensPerSecond)).toRelay,
  },
  {
    name: 'processor time per chat of 50 tokens, 50 in one instant',
    unit: '× relay',
    partsUnit: 'ms',
    target: { atMost: 1.95 },
    take: async (stand) => (await processorTime(stand)).toRelay,
  },
  {
    name: 'first token p95, 200 chats at 20 tokens a second',
    unit: '× direct',
    partsUnit: 'ms',
    target: { atMost: 1.9 },
    take: async (stand) => (await readAlong(stand)).firstToken,
  },
  {
    name: 'processor, 200 chats at 20 tokens a second',
    unit: '× relay',
    partsUnit: '% of a core',
    take: async (stand) => (await readAlong(stand)).processor,
  },
  {
    name: 'memory, idle after this load',
    unit: 'MB',
    target: { atMost: 200 },
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
    target: { atMost: 400 },
    take: warmStart,
  },
];

type Samples = Record<TargetName, LoadSample[]>;

/** One sample of a load serves several figures. */
const samplesByLoad = new Map<Load, Promise<Samples>>();

async function ratiosOf(
  stand: Stand,
  load: Load,
  figureOf: (sample: LoadSample) => number,
): Promise<Ratios> {
  const samples =
    samplesByLoad.get(load) ?? stand.rounds(rounds, (target) => runChats(target, load));
  samplesByLoad.set(load, samples);
  return ratiosOfRounds(await samples, figureOf);
}

function firstTokenP95({ chats }: LoadSample): number {
  return quantile(
    chats.map((chat) => chat.firstTokenMs),
    0.95,
  );
}

function tokenDelayP95({ chats }: LoadSample): number {
  return quantile(
    chats.flatMap((chat) => chat.tokenDelaysMs),
    0.95,
  );
}

function tokensPerSecond({ elapsedMs }: LoadSample): number {
  return (1000 * flood.chats * flood.tokens) / elapsedMs;
}

let long: Promise<LongFigures> | undefined;

/** One long conversation serves both figures. */
function longFigure(pick: (figures: LongFigures) => number) {
  return async ({ knowhow }: Stand): Promise<Figure> => {
    long ??= measureLongConversation(knowhow);
    return { value: pick(await long) };
  };
}

/** Medians over the rounds of the ratios within a round. */
function ratiosOfRounds<Sample>(
  samples: Record<TargetName, Sample[]>,
  figureOf: (sample: Sample) => number,
): Ratios {
  const direct = samples.direct.map(figureOf);
  const relay = samples.relay.map(figureOf);
  const knowhow = samples.knowhow.map(figureOf);
  const parts = { direct: median(direct), relay: median(relay), knowhow: median(knowhow) };
  const ofDirect = estimateRatio(knowhow, direct);
  return {
    toDirect: { ...ofDirect, relay: estimateRatio(relay, direct).value, parts },
    toRelay: { ...estimateRatio(knowhow, relay), parts },
  };
}

function estimateRatio(values: number[], base: number[]): Figure & { interval: Interval } {
  const { value, low, high } = estimateMedian(
    values.map((each, round) => each / (base[round] ?? Number.NaN)),
  );
  return { value, interval: { low, high } };
}

/** Milliseconds per chat. A round has several bursts, because the kernel counts in steps of 10 ms. */
async function processorTime(stand: Stand): Promise<Ratios> {
  const bursts = 4;
  const samples = await stand.rounds(rounds, async (target) => {
    if (target.name === 'direct') {
      return Number.NaN;
    }
    const pids = stand.getPids(target.name);
    const before = await spentMs(pids);
    for (let time = 0; time < bursts; time++) {
      await runChats(target, burst);
    }
    // Includes storing the rest of these chats.
    await wait(1200);
    return ((await spentMs(pids)) - before) / (bursts * burst.chats);
  });
  return ratiosOfRounds(samples, (each) => each);
}

let reading: Promise<{ firstToken: Figure; processor: Figure }> | undefined;

/** One sample serves both figures. */
function readAlong(stand: Stand): NonNullable<typeof reading> {
  reading ??= (async () => {
    const samples = await stand.rounds(longRounds, async (target) => {
      const pids = target.name === 'direct' ? [] : stand.getPids(target.name);
      const before = await spentMs(pids);
      const sample = await runChats(target, readers);
      // Includes storing the rest of these chats.
      await wait(1200);
      return { ...sample, share: (100 * ((await spentMs(pids)) - before)) / sample.elapsedMs };
    });
    return {
      firstToken: ratiosOfRounds(samples, firstTokenP95).toDirect,
      processor: ratiosOfRounds(samples, ({ share }) => share).toRelay,
    };
  })();
  return reading;
}

async function spentMs(pids: number[]): Promise<number> {
  return sum(await Promise.all(pids.map(getCpuMs)));
}

/** Average memory of a server. */
async function settledMemory(stand: Stand): Promise<Figure> {
  await wait(3000);
  const resident = await Promise.all(stand.getPids('knowhow').map(getResidentMb));
  return { value: sum(resident) / resident.length };
}

async function warmStart({ knowhow }: Stand): Promise<Figure> {
  await knowhow.end('SIGTERM');
  await warmStartMs(knowhow);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    times.push(await warmStartMs(knowhow));
  }
  const { value, low, high } = estimateMedian(times);
  return { value, interval: { low, high } };
}
