import type { Figure, Measure } from './measures.ts';
import { measurePalette, type PaletteFigures, paletteSkills } from './palette-stand.ts';

let taken: Promise<PaletteFigures> | undefined;

/** All figures come from one browser and one Knowhow with thousands of skills. */
function figure(pick: (figures: PaletteFigures) => number) {
  return async (): Promise<Figure> => {
    taken ??= measurePalette();
    return { value: pick(await taken) };
  };
}

/** Latency of typing `/`. */
export const paletteMeasures: Measure[] = [
  {
    name: `from / to the list, ${paletteSkills} skills, median`,
    unit: 'ms',
    target: { atMost: 50 },
    take: figure(({ listMs }) => listMs),
  },
  {
    name: 'from the next key to the list for it, median',
    unit: 'ms',
    target: { atMost: 16 },
    take: figure(({ keyMs }) => keyMs),
  },
  {
    name: 'the same, p95',
    unit: 'ms',
    target: { atMost: 16 },
    take: figure(({ slowKeyMs }) => slowKeyMs),
  },
  {
    name: "from the next key to the server's ranking, median",
    unit: 'ms',
    take: figure(({ rankedMs }) => rankedMs),
  },
];
