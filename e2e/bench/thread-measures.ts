import type { Figure, Measure } from './measures.ts';
import type { Stand } from './stand.ts';
import { measureThread, type ThreadFigures } from './thread-stand.ts';

let taken: Promise<ThreadFigures> | undefined;

/** All figures come from one browser. */
function figure(pick: (figures: ThreadFigures) => number) {
  return async (stand: Stand): Promise<Figure> => {
    taken ??= measureThread(stand.knowhow.url);
    return { value: pick(await taken) };
  };
}

/** Browser performance with long conversations. */
export const threadMeasures: Measure[] = [
  {
    name: 'from a click to the end of 2,000 messages, median',
    unit: 'ms',
    target: { atMost: 300 },
    take: figure(({ openMs }) => openMs),
  },
  {
    name: 'JavaScript memory at 2,000 messages',
    unit: 'MB',
    target: { atMost: 40 },
    take: figure(({ heapMb }) => heapMb),
  },
  {
    name: 'longest task, 100 tokens a second after 200 messages',
    unit: 'ms',
    target: { atMost: 50 },
    take: figure(({ longestTaskMs }) => longestTaskMs),
  },
  {
    name: 'time between frames meanwhile, p95',
    unit: 'ms',
    target: { atMost: 20 },
    take: figure(({ frameMs }) => frameMs),
  },
  {
    name: 'largest contentful paint of a first visit',
    unit: 'ms',
    target: { atMost: 1000 },
    take: figure(({ paintMs }) => paintMs),
  },
];
